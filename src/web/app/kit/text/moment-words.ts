/** Instants in words: how long ago, or the day; and the full time in a zone. English, the same on every machine. */

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Making one takes longer than all that is done with it. */
const formats = new Map<string, Intl.DateTimeFormat>()

function formatIn(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  formats.set(zone, made)
  return made
}

const partsIn = (instant: number, zone: string): Record<string, string> =>
  Object.fromEntries(
    formatIn(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  )

/** `4 Mar 2026 11:00:05`. */
export function inZone(instant: number, zone: string): string {
  const { day, month, year, hour, minute, second } = partsIn(instant, zone)
  return `${Number(day)} ${MONTHS[Number(month) - 1]} ${year} ${hour}:${minute}:${second}`
}

/** `4 Mar 2026`. */
export const dayInZone = (instant: number, zone: string): string =>
  inZone(instant, zone).split(' ').slice(0, 3).join(' ')

/** `11:00`. */
export const timeInZone = (instant: number, zone: string): string =>
  inZone(instant, zone).split(' ')[3]?.slice(0, 5) ?? ''

const spell = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`

/** `just now`, `5 minutes ago`, `in 2 days`; beyond a month the day itself, in UTC. */
export function agoInWords(instant: number, now: number): string {
  const away = Math.abs(now - instant)
  if (away < MINUTE) return 'just now'
  if (away >= 31 * DAY) return dayInZone(instant, 'UTC')
  const words =
    away < HOUR
      ? spell(Math.floor(away / MINUTE), 'minute')
      : away < DAY
        ? spell(Math.floor(away / HOUR), 'hour')
        : spell(Math.floor(away / DAY), 'day')
  return instant <= now ? `${words} ago` : `in ${words}`
}

/** `in 2 days and 3 hours`; `now` when it is due. */
export function countdown(instant: number, now: number): string {
  const left = instant - now
  if (left < MINUTE) return 'now'
  if (left < HOUR) return `in ${spell(Math.floor(left / MINUTE), 'minute')}`
  const [days, hours] = [Math.floor(left / DAY), Math.floor((left % DAY) / HOUR)]
  const parts = [days > 0 && spell(days, 'day'), hours > 0 && spell(hours, 'hour')].filter((part) => part !== false)
  return `in ${parts.join(' and ')}`
}

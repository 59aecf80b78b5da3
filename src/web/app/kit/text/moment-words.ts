/** Instants in words: how long ago, or the day; and the full time in a zone. English, the same on every machine. */

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

function partsIn(instant: number, zone: string): Record<string, string> {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  return Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]))
}

/** `4 Mar 2026 11:00:05`. */
export function inZone(instant: number, zone: string): string {
  const { day, month, year, hour, minute, second } = partsIn(instant, zone)
  return `${Number(day)} ${MONTHS[Number(month) - 1]} ${year} ${hour}:${minute}:${second}`
}

/** `4 Mar 2026`. */
export const dayInZone = (instant: number, zone: string): string =>
  inZone(instant, zone).split(' ').slice(0, 3).join(' ')

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

/**
 * Local (wall-clock) time of a time zone. A wall time is a number like an instant, as if local time were UTC, so that
 * days and hours can be computed with plain arithmetic. Zones are IANA names that the caller has checked.
 */
import { DAY, HOUR, MINUTE, SECOND } from './time.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

/** How far local time in `zone` is ahead of UTC at `instant`. */
function offsetAt(instant: number, zone: string): number {
  // Names come in any case: keyed by lower case, the map stays as small as the time zone database.
  const key = zone.toLowerCase()
  const format = formats.get(key) ?? new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  formats.set(key, format)
  const name = format.formatToParts(instant).find((part) => part.type === 'timeZoneName')?.value ?? ''
  const match = /^GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/.exec(name)
  if (!match) throw new Error(`The offset of ${zone} cannot be read from "${name}".`)
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = match
  const size = Number(hours) * HOUR + Number(minutes) * MINUTE + Number(seconds) * SECOND
  return sign === '-' ? -size : size
}

export const toWall = (instant: number, zone: string): number => instant + offsetAt(instant, zone)

/** A local time that is skipped moves past the gap by the gap's length; of a time that occurs twice, the first one. */
export function toInstant(wall: number, zone: string): number {
  // Every offset is less than a day, so these two instants lie on either side of any change that affects `wall`.
  const before = offsetAt(wall - DAY, zone)
  const after = offsetAt(wall + DAY, zone)
  if (before === after) return wall - before
  const real = [wall - before, wall - after].filter((instant) => toWall(instant, zone) === wall)
  return real.length > 0 ? Math.min(...real) : wall - before
}

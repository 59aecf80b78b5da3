/**
 * Which sessions are listed: the latest ones of a project, up to a limit. Ids are UUIDv7, so the latest are the
 * greatest, and a bound on the id lets a scan skip what is older. Instead of collecting all ids of the project, it
 * reads those of the last day and, if they are too few, of the number of days that should suffice at that rate; only
 * then all.
 */
import { DAY } from '../../lib/time/time.ts'

/** The smallest UUIDv7 of this millisecond. */
function floorUuid(at: number): string {
  const hex = Math.max(0, Math.trunc(at)).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

const startOf = (sessionId: string): number => Number.parseInt(sessionId.slice(0, 8) + sessionId.slice(9, 13), 16)

/** Of the latest sessions whose ids are this one or greater, as many as are listed: their number and the oldest. */
type LatestSince = (id: string) => Promise<{ count: number; oldest: string | null }>

/** The oldest session that is listed; null when there is none. `newest`: null when it is better to read all at once. */
export async function oldestListed(limit: number, newest: string | null, since: LatestSince): Promise<string | null> {
  if (newest !== null) {
    const end = startOf(newest)
    const lastDay = await since(floorUuid(end - DAY))
    if (lastDay.count === limit) return lastDay.oldest
    const days = (1.5 * limit) / Math.max(lastDay.count, 1)
    const estimated = await since(floorUuid(end - days * DAY))
    if (estimated.count === limit) return estimated.oldest
  }
  return (await since(floorUuid(0))).oldest
}

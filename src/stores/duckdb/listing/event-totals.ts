/** How many events a project has, how many of them lately, and when the first and the last happened; reads two narrow columns. */
import type { EventTotals } from '../../../model/events/event.ts'
import type { Parts } from '../progress.ts'
import { instant, int } from '../values/literal.ts'

export async function eventTotals(
  { database }: Pick<Parts, 'database'>,
  projectId: number,
  since: number,
): Promise<EventTotals> {
  const sql = `SELECT count(*), count(*) FILTER (ts >= ${instant(since)}), min(ts), max(ts) FROM events
    WHERE project_id = ${int(projectId)}`
  const [[count, recent, firstAt, lastAt] = []] = (
    await database.read((connection) => connection.runAndReadAll(sql))
  ).getRows()
  return {
    count: Number(count),
    recent: Number(recent),
    firstAt: (firstAt as number | null) ?? null,
    lastAt: (lastAt as number | null) ?? null,
  }
}

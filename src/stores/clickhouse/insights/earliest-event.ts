/** When a project's first event happened; reads the days, which the table is ordered by, and the first of them. */
import type { Reading } from '../parts.ts'
import { instantOf, int } from '../values/literal.ts'

export async function earliestEventAt({ rows }: Reading, projectId: number): Promise<number | null> {
  const project = `project_id = ${int(projectId)}`
  const [[count, first] = []] = await rows(`SELECT count(), min(ts) FROM events
    WHERE ${project} AND day GLOBAL IN (SELECT min(day) FROM events WHERE ${project})`)
  return Number(count ?? 0) === 0 ? null : instantOf(first as string)
}

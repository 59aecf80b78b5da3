/** When a project's first event happened; reads two narrow columns. */
import type { Parts } from '../progress.ts'
import { int } from '../values/literal.ts'

export async function earliestEventAt({ database }: Parts, projectId: number): Promise<number | null> {
  const sql = `SELECT min(ts) FROM events WHERE project_id = ${int(projectId)}`
  const found = await database.read((connection) => connection.runAndReadAll(sql))
  return (found.getRows()[0]?.[0] as number | null | undefined) ?? null
}

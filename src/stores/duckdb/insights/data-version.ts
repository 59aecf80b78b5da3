/** What tells whether an answer may be given again: it reads two narrow columns of each table. */

import type { Parts } from '../progress.ts'
import { int } from '../values/literal.ts'

export async function earliestEventAt({ database }: Parts, projectId: number): Promise<number | null> {
  const sql = `SELECT min(ts) FROM events WHERE project_id = ${int(projectId)}`
  const found = await database.read((connection) => connection.runAndReadAll(sql))
  return (found.getRows()[0]?.[0] as number | null | undefined) ?? null
}

/**
 * Count and sum of `seq`: what is added, taken away or replaced changes one of them, in whatever order it came. Rows
 * that were outdone are counted until they are folded away, which is no change but may look like one.
 */
const GROUPS = [['events'], ['persons', 'fresh_persons'], ['distinct_ids', 'fresh_distinct_ids']]

export async function dataVersion({ database }: Parts, projectId: number): Promise<string> {
  const groups = GROUPS.map((tables) => {
    const sides = tables.map((table) => `SELECT seq FROM ${table} WHERE project_id = ${int(projectId)}`)
    return `(SELECT count(*) || ':' || coalesce(sum(seq), 0) FROM (${sides.join(' UNION ALL ')}))`
  })
  const found = await database.read((connection) => connection.runAndReadAll(`SELECT ${groups.join(` || '/' || `)}`))
  return String(found.getRows()[0]?.[0])
}

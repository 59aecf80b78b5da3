/**
 * The version of a project's data, which decides whether a cached result is still valid; reads two narrow columns per
 * table.
 */

import type { Parts } from '../progress.ts'
import { int } from '../values/literal.ts'

export async function earliestEventAt({ database }: Parts, projectId: number): Promise<number | null> {
  const sql = `SELECT min(ts) FROM events WHERE project_id = ${int(projectId)}`
  const found = await database.read((connection) => connection.runAndReadAll(sql))
  return (found.getRows()[0]?.[0] as number | null | undefined) ?? null
}

/**
 * Count and sum of `seq`: adding, removing or replacing rows changes one of them, in whatever order they came.
 * Superseded rows are counted until they are folded, so folding may look like a change although it is none.
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

/** Which sessions are listed (see ../../sessions/latest-sessions.ts). */
import type { DuckDBConnection } from '@duckdb/node-api'
import { oldestListed } from '../../sessions/latest-sessions.ts'
import type { Parts } from '../progress.ts'
import { int, uuidLiteral } from '../values/literal.ts'

async function firstRow(connection: DuckDBConnection, sql: string) {
  return (await connection.runAndReadAll(sql)).getRows()[0] ?? []
}

/** The oldest session that is listed; null when the project has none. */
export async function oldestListedSession(
  { database, progress, limits }: Parts,
  projectId: number,
): Promise<string | null> {
  const project = `project_id = ${int(projectId)}`
  return database.read(async (connection) => {
    const recentFrom = int(progress.lastOrd - limits.recentEvents)
    const [newest] = await firstRow(
      connection,
      `SELECT max(session_id) FROM events WHERE ${project} AND ord > ${recentFrom}`,
    )
    const isLarge = newest && progress.lastOrd > limits.recentEvents
    return oldestListed(limits.listedSessions, isLarge ? String(newest) : null, async (id) => {
      const [count, oldest] = await firstRow(
        connection,
        `SELECT count(*), min(session_id) FROM (
          SELECT DISTINCT session_id FROM events WHERE ${project} AND session_id >= ${uuidLiteral(id)}
          ORDER BY session_id DESC LIMIT ${int(limits.listedSessions)})`,
      )
      return { count: Number(count), oldest: oldest ? String(oldest) : null }
    })
  })
}

/**
 * Which sessions are listed: the latest ones of a project, up to a limit. Ids are UUIDv7, so the latest are the
 * greatest, and a bound on the id lets a scan skip what is older. Instead of collecting all ids of the project, it
 * reads those of the last day and, if they are too few, of the number of days that should suffice at that rate; only
 * then all.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { DAY } from '../../../lib/time/time.ts'
import type { Parts } from '../progress.ts'
import { int, uuidLiteral } from '../values/literal.ts'

/** The smallest UUIDv7 of this millisecond. */
function floorUuid(at: number): string {
  const hex = Math.max(0, Math.trunc(at)).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

const startOf = (sessionId: string): number => Number.parseInt(sessionId.slice(0, 8) + sessionId.slice(9, 13), 16)

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
    const since = async (at: number) => {
      const [count, oldest] = await firstRow(
        connection,
        `SELECT count(*), min(session_id) FROM (
          SELECT DISTINCT session_id FROM events WHERE ${project} AND session_id >= ${uuidLiteral(floorUuid(at))}
          ORDER BY session_id DESC LIMIT ${int(limits.listedSessions)})`,
      )
      return { count: Number(count), oldest: oldest ? String(oldest) : null }
    }
    const recentFrom = int(progress.lastOrd - limits.recentEvents)
    const [newest] = await firstRow(
      connection,
      `SELECT max(session_id) FROM events WHERE ${project} AND ord > ${recentFrom}`,
    )
    if (newest && progress.lastOrd > limits.recentEvents) {
      const end = startOf(String(newest))
      const lastDay = await since(end - DAY)
      if (lastDay.count === limits.listedSessions) return lastDay.oldest
      const days = (1.5 * limits.listedSessions) / Math.max(lastDay.count, 1)
      const estimated = await since(end - days * DAY)
      if (estimated.count === limits.listedSessions) return estimated.oldest
    }
    return (await since(0)).oldest
  })
}

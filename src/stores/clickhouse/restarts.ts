/**
 * Whether a node was started since it was last looked at: each has a table in its memory, which is empty after a start. What
 * a node has acknowledged is not on its disk yet, so a start may mean a loss.
 */
import type { Servers } from './server/client.ts'

const TABLE = 'running_since_noted'

/** Of one node. */
export const RESTARTS_TABLE = `CREATE TABLE IF NOT EXISTS ${TABLE} (one UInt8) ENGINE = Memory`

/** A replica that is away will have been, when it is back. */
export async function wasRestarted(servers: Servers): Promise<boolean> {
  const found = await servers.rowsOfEach(`SELECT count() FROM ${TABLE}`, 'reachable')
  return found.some(([count]) => Number(count) === 0)
}

export const noteRestart = (servers: Servers): Promise<void> =>
  servers.onEach(`INSERT INTO ${TABLE} VALUES (1)`, 'reachable')

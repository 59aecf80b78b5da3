/**
 * Removes fresh overrides when there are many: of most ids all events were captured when they had their owner, so that
 * nothing has to be joined to them. Several processes may do so at once.
 */
import { removeRows } from '../erasure/remove-rows.ts'
import type { Row, Servers } from '../server/client.ts'
import { localTable } from '../tables.ts'
import { int, text } from '../values/literal.ts'
import { insertOverrides, markOfKept, noteSettled, type Override, readNotes } from './overrides.ts'

/** From so many on they are worth settling: the more events there are, the longer it takes to go through them. */
export const MANY_OVERRIDES = 5_000
const EVENTS_PER_OVERRIDE = 1_000

export async function manyOverrides(servers: Servers): Promise<number> {
  const rows = await servers.rowsOfEach(
    `SELECT sum(rows) FROM system.parts
      WHERE database = currentDatabase() AND table = ${text(localTable(servers, 'events'))} AND active`,
    'shards',
  )
  const events = rows.reduce((all, [some]) => all + Number(some ?? 0), 0)
  return Math.max(MANY_OVERRIDES, events / EVENTS_PER_OVERRIDE)
}

export const toOverride = ([projectId, hash, seq, actor]: Row): Override => ({
  projectId: Number(projectId),
  idHash: BigInt(hash as string),
  seq: BigInt(seq as string),
  actor: BigInt(actor as string),
})

/** SQL of the ids with fresh rows, and what the newest row of each says. */
const FRESH = `SELECT project_id AS project, id_hash, max(seq) AS newest, argMax(actor, seq) AS owner,
    max(is_kept) AS was_kept FROM overrides GROUP BY project, id_hash HAVING min(is_kept) = 0`

/** Those that have to stay: of events of another than the owner, or overridden before. */
async function neededOverrides(servers: Servers): Promise<Override[]> {
  const before = await servers.rows(`SELECT project, id_hash, newest, owner FROM (${FRESH}) WHERE was_kept > 0`)
  const differing = await servers.rows(`SELECT project, id_hash, newest, owner
    FROM events GLOBAL ANY INNER JOIN (${FRESH}) AS fresh USING (id_hash)
    WHERE actor != owner AND was_kept = 0 GROUP BY project, id_hash, newest, owner`)
  return [...before, ...differing].map(toOverride)
}

/** If there are at least so many fresh ones; returns whether there were. */
export async function settleOverrides(servers: Servers, fewest: number): Promise<boolean> {
  const [[count, upTo] = []] = await servers.rows('SELECT count(), max(seq) FROM overrides WHERE is_kept = 0')
  if (Number(count) < fewest) return false
  const settled = BigInt(upTo as string)
  // Before events are looked at: see overrides.ts.
  await noteSettled(servers, settled)
  const mark = markOfKept(await readNotes(servers))
  await insertOverrides(servers, await neededOverrides(servers), mark)
  await removeRows(servers, [{ table: 'overrides', where: `is_kept = 0 AND seq <= ${int(settled)}` }])
  return true
}

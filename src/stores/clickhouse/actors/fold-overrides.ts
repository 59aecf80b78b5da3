/**
 * Writes kept overrides into the events, so that questions have less to join: every visitor who signs in leaves one. It is not
 * for two at once, nor beside a removal of events.
 *
 * An override may go when all events of its id say the same. Rows of a batch that knows less may come in between: whoever
 * stores them reads afterwards how often was folded, and marks by that the override that it adds (`markOfKept`). So it is noted
 * first that this is another fold, then events are looked at, then those overrides go that are not of this fold. Whoever has
 * read the number before had stored its rows before, which are seen here; what others add stays. Ids with fresh overrides are
 * left alone: they are settled first. As long as an id has a kept override, settling leaves it one, so that its events may
 * have any actor meanwhile.
 */
import { unavailable } from '../../../lib/errors.ts'
import { mutationsDone, removeRows } from '../erasure/remove-rows.ts'
import type { Servers } from '../server/client.ts'
import { localTable } from '../tables.ts'
import { int, isOneOf, mapped } from '../values/literal.ts'
import { markOfKept, noteFolds, type Override, readNotes } from './overrides.ts'
import { manyOverrides, settleOverrides, toOverride } from './settle-overrides.ts'

/** A change of rows is kept by ZooKeeper, which takes a megabyte. */
const IDS_AT_ONCE = 8_000

/** The newest override of each id that has kept ones only, in portions. */
async function* keptOverrides(servers: Servers): AsyncGenerator<Override[]> {
  let after = ''
  for (;;) {
    const rows =
      await servers.rows(`SELECT project_id AS project, id_hash, max(seq) AS newest, argMax(actor, seq) AS owner
      FROM overrides ${after} GROUP BY project, id_hash HAVING min(is_kept) > 0 ORDER BY id_hash LIMIT ${IDS_AT_ONCE}`)
    const last = rows.at(-1)
    if (!last) return
    const overrides = rows.map(toOverride)
    yield overrides
    after = `WHERE id_hash > ${int(overrides.at(-1)?.idHash ?? 0n)}`
  }
}

/** SQL of conditions on the ids of these overrides, and on rows of `events` that have another actor. */
function conditionsOf(overrides: Override[]) {
  const projects = [...new Set(overrides.map(({ projectId }) => projectId))]
  const hashes = overrides.map(({ idHash }) => idHash)
  const isOfThem = `${isOneOf('project_id', projects, int)} AND ${isOneOf('id_hash', hashes, int)}`
  const owner = mapped(
    'id_hash',
    overrides.map(({ idHash, actor }): [bigint, bigint] => [idHash, actor]),
    'actor',
  )
  return { owner, isAnother: `${isOfThem} AND actor != ${owner}` }
}

async function writeActors(servers: Servers, overrides: Override[]): Promise<void> {
  const { owner, isAnother } = conditionsOf(overrides)
  const [[count] = []] = await servers.rows(`SELECT count() FROM events WHERE ${isAnother}`)
  if (Number(count) === 0) return
  const table = localTable(servers, 'events')
  await servers.onEach(`ALTER TABLE ${table} UPDATE actor = ${owner} WHERE ${isAnother}`, 'shards')
  await mutationsDone(servers, ['events'])
}

/** `mark`: of rows that were kept since the events were written. */
async function removeFolded(servers: Servers, overrides: Override[], mark: number): Promise<void> {
  const { isAnother } = conditionsOf(overrides)
  const differing = await servers.rows(`SELECT DISTINCT id_hash FROM events WHERE ${isAnother}`)
  const stay = new Set(differing.map(([hash]) => BigInt(hash as string)))
  const going = overrides.filter(({ idHash }) => !stay.has(idHash))
  if (going.length === 0) return
  const ids = isOneOf(
    'id_hash',
    going.map(({ idHash }) => idHash),
    int,
  )
  const newest = mapped(
    'id_hash',
    going.map(({ idHash, seq }): [bigint, bigint] => [idHash, seq]),
    '-1',
  )
  const isEarlier = `is_kept != 0 AND is_kept != ${int(mark)} AND ${ids}`
  // While a newest one goes, none before it may count.
  await removeRows(servers, [{ table: 'overrides', where: `${isEarlier} AND seq < ${newest}` }])
  await removeRows(servers, [{ table: 'overrides', where: `${isEarlier} AND seq = ${newest}` }])
}

/** If there are at least so many kept ones; returns whether there were. */
export async function foldOverrides(servers: Servers, fewest: number, signal?: AbortSignal): Promise<boolean> {
  const [[count] = []] = await servers.rows('SELECT count() FROM overrides WHERE is_kept != 0')
  if (Number(count) < fewest) return false
  if (!(await servers.replicas.areAllThere()))
    throw unavailable('A replica of ClickHouse is away; owners are written into events when it is back.', 5)
  await settleOverrides(servers, 1)
  for await (const overrides of keptOverrides(servers)) {
    signal?.throwIfAborted()
    await writeActors(servers, overrides)
  }
  const folds = (await readNotes(servers)).folds + 1
  await noteFolds(servers, folds)
  await servers.replicas.allHaveSame(['events', 'overrides'])
  for await (const overrides of keptOverrides(servers)) {
    signal?.throwIfAborted()
    await removeFolded(servers, overrides, markOfKept({ folds }))
  }
  return true
}

/** When it is worth it: the more events there are, the longer it takes to go through them. */
export const foldManyOverrides = async (servers: Servers, signal?: AbortSignal): Promise<void> => {
  await foldOverrides(servers, await manyOverrides(servers), signal)
}

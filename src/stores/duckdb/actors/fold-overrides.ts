/**
 * Writes overrides into the events when there are many: questions then have less to look up. The rows are marked first;
 * then every event gets its actor, some at a time; then the marked rows go. An id that moves meanwhile has a row without
 * the mark, which stays.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import type { Parts, Progress } from '../progress.ts'
import { within } from '../properties/key-blocks.ts'
import { countOverrides, IS_SETTLED } from './overrides.ts'

/** The more events there are, the longer it takes to go through them. */
const EVENTS_PER_OVERRIDE = 1_000

export const overridesAreDue = ({ actors, progress, limits }: Parts): boolean =>
  actors.overridesLeft !== null ||
  progress.overrides >= Math.max(limits.overrides, progress.lastOrd / EVENTS_PER_OVERRIDE)

interface Folded extends Pick<Progress, 'overrides'> {
  overridesLeft: Parts['actors']['overridesLeft']
}

/** One step, in a transaction. */
export async function foldOverrides(
  connection: DuckDBConnection,
  { actors, progress, limits }: Parts,
): Promise<Folded> {
  const left = actors.overridesLeft ?? { from: 0, to: progress.lastOrd }
  if (actors.overridesLeft === null) await connection.run(`UPDATE overrides SET folding = ${IS_SETTLED}`)
  const to = Math.min(left.from + limits.foldEvents, left.to)
  await connection.run(`UPDATE events SET actor = overrides.actor FROM overrides
    WHERE folding AND events.id_hash = overrides.id_hash AND events.actor <> overrides.actor
      AND ${within({ from: left.from, to })}`)
  const isDone = to === left.to
  if (isDone) await connection.run('DELETE FROM overrides WHERE folding')
  return { ...(await countOverrides(connection)), overridesLeft: isDone ? null : { from: to, to: left.to } }
}

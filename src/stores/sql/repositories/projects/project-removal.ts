/**
 * Deletes the rows of a removed project, table by table in portions, each in a transaction of the caller: concurrent
 * writers never wait for more than one of them.
 */
import { sql } from 'kysely'
import { PORTION } from '../../../../lib/lists/remove-in-portions.ts'
import type { ClearCursor } from '../../../../model/accounts/project.ts'
import type { Connection } from '../../connection.ts'
import type { Tables } from '../../tables.ts'

interface Owned {
  table: keyof Tables
  /**
   * How a portion is found: `index` where an index begins with the project, so that its rows are found directly; `walk`
   * where none does, and the whole table is walked, a fixed number of rows of any project at a time. Without row numbers
   * that takes a numeric `id`, or else each portion is looked for from the beginning, beside all other work.
   */
  by: 'index' | 'walk'
  /** For rows that may be large. */
  atOnce?: number
}

const LARGE_ROWS = 500

/** Every table that belongs to a project, in an order that references allow. */
export const OWNED: Owned[] = [
  { table: 'sharing_tokens', by: 'index' },
  { table: 'sharing_passwords', by: 'index' },
  { table: 'sharing', by: 'index' },
  { table: 'recording_blocks', by: 'index' },
  { table: 'recording_progress', by: 'index' },
  { table: 'recording_snapshots', by: 'index' },
  { table: 'recording_drafts', by: 'index' },
  { table: 'recording_views', by: 'index' },
  { table: 'recording_tombstones', by: 'index' },
  { table: 'recordings', by: 'index' },
  { table: 'distinct_ids', by: 'index' },
  { table: 'property_history', by: 'walk' },
  { table: 'persons', by: 'index', atOnce: LARGE_ROWS },
  { table: 'person_counts', by: 'index' },
  { table: 'activity', by: 'index' },
  { table: 'kept_undo_ids', by: 'index' },
  { table: 'kept_undos', by: 'index', atOnce: LARGE_ROWS },
  { table: 'deletions', by: 'index' },
  { table: 'deletion_run_counts', by: 'index' },
  { table: 'deletion_runs', by: 'index' },
  { table: 'idempotency', by: 'walk' },
  { table: 'event_uuids', by: 'index' },
  { table: 'personless_ids', by: 'index' },
  { table: 'ingestion_warnings', by: 'index' },
  { table: 'planned_mails', by: 'index' },
  { table: 'delivery_recipients', by: 'walk' },
  { table: 'deliveries', by: 'walk' },
  { table: 'subscription_departures', by: 'walk' },
  { table: 'subscriptions', by: 'index' },
  { table: 'insight_results', by: 'index', atOnce: LARGE_ROWS },
  { table: 'dashboard_tiles', by: 'walk' },
  { table: 'dashboards', by: 'index' },
  { table: 'insights', by: 'index', atOnce: LARGE_ROWS },
  { table: 'jobs', by: 'index' },
  { table: 'parked_batches', by: 'index' },
]

/** Tables clustered by their primary key have no row numbers. */
const KEYS: Partial<Record<keyof Tables, string[]>> = {
  person_counts: ['project_id', 'slot'],
  recording_snapshots: ['project_id', 'session_id', 'snapshot'],
  event_uuids: ['project_id', 'uuid'],
  personless_ids: ['project_id', 'distinct_id'],
}

const count = ({ numAffectedRows }: { numAffectedRows?: bigint }): number => Number(numAffectedRows ?? 0n)

/** Returns how many rows were deleted, up to the portion size. */
async function takeSome({ db, dialect }: Connection, { table, atOnce = PORTION }: Owned, id: number) {
  const key = KEYS[table]?.map((name) => sql.ref(name)) ?? [dialect.rowId]
  for (const part of dialect.parts.of(table)) {
    const isOne = dialect.isAmong(part, key, sql`where project_id = ${id} limit ${sql.lit(atOnce)}`)
    const removed = count(await sql`delete from ${sql.table(part)} where ${isOne}`.execute(db))
    if (removed > 0) return removed
  }
  return 0
}

/** The row it has reached; null at the end of the table. */
async function walkOn({ db, dialect }: Connection, { table }: Owned, id: number, after: number) {
  const [from, row] = [sql.table(table), dialect.hasRowNumbers ? dialect.rowId : sql`id`]
  const { rows } = await sql<{ row: number }>`select ${row} as row from ${from} where ${row} > ${after}
    order by ${row} limit 1 offset ${sql.lit(PORTION - 1)}`.execute(db)
  const upTo = rows[0]?.row ?? null
  const range = upTo === null ? sql`${row} > ${after}` : sql`${row} > ${after} and ${row} <= ${upTo}`
  // Only the row numbers are to find them.
  await sql`delete from ${from} where ${range} and ${dialect.unindexed(sql`project_id`)} = ${id}`.execute(db)
  return upTo
}

/** Those of 'walk' that have a number as `id`. */
const NUMBERED: (keyof Tables)[] = ['property_history', 'dashboard_tiles']

const isWalked = ({ dialect }: Connection, { table, by }: Owned): boolean =>
  by === 'walk' && (dialect.hasRowNumbers || NUMBERED.includes(table))

/** Continues from `from`; null when nothing is left. */
export async function clearPortion(
  connection: Connection,
  id: number,
  from: ClearCursor | null,
): Promise<ClearCursor | null> {
  let { table: place, row } = from ?? { table: 0, row: 0 }
  for (let owned = OWNED[place]; owned; owned = OWNED[++place], row = 0) {
    if (!isWalked(connection, owned)) {
      if ((await takeSome(connection, owned, id)) > 0) return { table: place, row: 0 }
    } else {
      const upTo = await walkOn(connection, owned, id, row)
      return upTo === null ? { table: place + 1, row: 0 } : { table: place, row: upTo }
    }
  }
  return null
}

/**
 * How PostgreSQL stores the tables whose rows come, change and go all the time. It keeps what was removed or replaced
 * until a vacuum, which it starts by itself when a fifth of a table is such rows: for a queue, which is nearly empty or
 * very long, and for millions of people that is far too late.
 */
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables.ts'

/** Vacuums, and the indexes that they read, are of a sixteenth of the table each. */
const PARTS = 16

const SPLIT: (keyof Tables)[] = ['event_uuids']

const partsOf = (table: string): string[] =>
  SPLIT.some((split) => split === table) ? Array.from({ length: PARTS }, (_, n) => `${table}_${n}`) : [table]

export const hashParts = {
  ending: (column: string): string => `partition by hash (${column})`,
  async create(db: Kysely<unknown>, table: string): Promise<void> {
    for (const [n, part] of partsOf(table).entries()) {
      await sql`create table ${sql.table(part)} partition of ${sql.table(table)}
        for values with (modulus ${sql.lit(PARTS)}, remainder ${sql.lit(n)})`.execute(db)
    }
  },
  of: partsOf,
}

/** A vacuum after so many dead rows, whatever the table's size. */
const vacuumAfter = (rows: number): string[] => [
  'autovacuum_vacuum_scale_factor = 0',
  `autovacuum_vacuum_threshold = ${rows}`,
]

const PARAMETERS: Record<string, string[]> = {
  // Each row lives for a moment: dead ones would soon be all of it. Such a vacuum is short, so that it need not pause.
  outbox: [...vacuumAfter(1_000), 'autovacuum_vacuum_cost_delay = 0'],
  // Never changed, so pages are filled; an hour's rows are removed at once, less than a hundredth of a week's.
  event_uuids: ['autovacuum_vacuum_scale_factor = 0.02', 'autovacuum_vacuum_insert_scale_factor = 0.1'],
  // Room for the next version on the same page: where nothing indexed has changed, no index gets an entry for it.
  persons: ['fillfactor = 85', 'autovacuum_vacuum_scale_factor = 0.05', 'autovacuum_analyze_scale_factor = 0.05'],
  // Claims and leases are no part of an index: with room beside them they touch none. Done ones are removed.
  jobs: ['fillfactor = 70', ...vacuumAfter(1_000), 'autovacuum_vacuum_cost_delay = 0'],
  // A few rows that thousands of transactions change: versions are cleared away on their page, if it has room.
  person_counts: ['fillfactor = 20', ...vacuumAfter(1_000), 'autovacuum_vacuum_cost_delay = 0'],
}

/** Batches are deflated already: to try again takes time and gains nothing. */
const COMPRESSED: Record<string, string> = { outbox: 'payload' }

export async function tune(db: Kysely<unknown>, table: string): Promise<void> {
  const settings = sql.raw((PARAMETERS[table] ?? []).join(', '))
  for (const part of partsOf(table)) await sql`alter table ${sql.table(part)} set (${settings})`.execute(db)
  const column = COMPRESSED[table]
  if (column) await sql`alter table ${sql.table(table)} alter ${sql.ref(column)} set storage external`.execute(db)
}

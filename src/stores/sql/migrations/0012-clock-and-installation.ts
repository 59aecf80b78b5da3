/**
 * The state of the server's clock, and the id that shows which stores belong together. In a store of an earlier version
 * both are derived once, from instants that the server itself wrote and from the sequence.
 */
import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { SqlDialect } from '../dialect.ts'

/** Instants of the server's own clock; event times are not among them. */
const WRITTEN = ['ticks.last_at', 'activity.created_at', 'outbox.created_at', 'recordings.last_ingest_at'] as const

async function newestWritten(db: Kysely<unknown>): Promise<number | null> {
  const found: number[] = []
  for (const name of WRITTEN) {
    const [table, column] = name.split('.') as [string, string]
    const { rows } = await sql<{ at: number | null }>`
      select max(${sql.ref(column)}) as at from ${sql.table(table)}`.execute(db)
    if (rows[0]?.at != null) found.push(rows[0].at)
  }
  return found.length === 0 ? null : Math.max(...found)
}

/** What is no longer in the outbox was relayed. Without any person left, the event store may well be empty. */
async function handedSeq(db: Kysely<unknown>): Promise<number> {
  const { rows } = await sql<{ last: number; waiting: number; first: number | null; persons: number }>`
    select (select value from sequences where name = 'seq') as last,
      (select count(*) from outbox) as waiting, (select min(seq) from outbox) as first,
      (select count(*) from (select 1 from persons limit 1) as one) as persons`.execute(db)
  const { last = 0, waiting = 0, first = null, persons = 0 } = rows[0] ?? {}
  if (persons === 0 || waiting >= last) return 0
  return first === null ? last : first - 1
}

export async function clockAndInstallation(db: Kysely<unknown>, dialect: SqlDialect): Promise<void> {
  const { instant, bigint } = dialect.types
  await db.schema
    .createTable('clock_state')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('seen_at', instant, (c) => c.notNull())
    .addColumn('trusted_at', instant, (c) => c.notNull())
    .addColumn('hold_left', instant)
    .execute()
  const newest = await newestWritten(db)
  if (newest !== null) {
    await sql`insert into clock_state (name, seen_at, trusted_at) values ('server', ${newest}, ${newest})`.execute(db)
  }
  await db.schema
    .createTable('installation')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('is_stamped', 'integer', (c) => c.notNull())
    .addColumn('handed_seq', bigint, (c) => c.notNull())
    .addColumn('starts', 'integer', (c) => c.notNull())
    .addColumn('blobs_lost_until', instant, (c) => c.notNull())
    .execute()
  await sql`insert into installation (id, is_stamped, handed_seq, starts, blobs_lost_until)
    values (${randomUUID()}, 0, ${dialect.hasEarlierRows ? await handedSeq(db) : 0}, 0, 0)`.execute(db)
}

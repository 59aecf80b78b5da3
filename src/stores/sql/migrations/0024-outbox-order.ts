/**
 * Where several processes share the store, rows of the outbox are followed by their number (stores/live/outbox-poll.ts).
 * Nowhere else: there nobody asks, and each commit would write one page more.
 */
import { type Kysely, sql } from 'kysely'
import type { SqlDialect } from '../dialect.ts'

export async function outboxOrder(db: Kysely<unknown>, dialect: SqlDialect): Promise<void> {
  if (dialect.seq.settled !== null) await sql`create index outbox_seq on outbox (seq)`.execute(db)
}

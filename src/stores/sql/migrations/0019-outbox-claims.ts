/**
 * Rows of the outbox are claimed before they are applied where several processes may apply them, or the event store cannot
 * tell by itself what it has; and they are kept for a while after that.
 */
import { type Kysely, sql } from 'kysely'
import type { SqlDialect } from '../dialect.ts'

export async function outboxClaims(db: Kysely<unknown>, dialect: SqlDialect): Promise<void> {
  const { instant } = dialect.types
  const outbox = db.schema.alterTable('outbox')
  await outbox.addColumn('shipment', 'text').execute()
  await outbox.addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0)).execute()
  await outbox.addColumn('leased_until', instant).execute()
  await outbox.addColumn('applied_at', instant).execute()
  await sql`create index outbox_waiting on outbox (id) where applied_at is null`.execute(db)
  await sql`create index outbox_applied on outbox (applied_at) where applied_at is not null`.execute(db)
}

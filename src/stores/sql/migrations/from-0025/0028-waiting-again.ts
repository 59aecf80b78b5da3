/** Rows of the outbox that were applied, and wait only because the event store may have lost them, are told from new ones. */
import type { Kysely } from 'kysely'

export async function waitingAgain(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('outbox')
    .addColumn('waits_again', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
}

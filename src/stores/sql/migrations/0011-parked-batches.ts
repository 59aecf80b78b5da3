/** Batches that the event store refuses, and which rows of the outbox are applied in parts. */
import { type Kysely, sql } from 'kysely'
import type { SqlDialect } from '../dialect.ts'

export async function parkedBatches(db: Kysely<unknown>, dialect: SqlDialect): Promise<void> {
  const { instant, bigint, bytes } = dialect.types
  await db.schema
    .alterTable('outbox')
    .addColumn('in_parts', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await db.schema
    .createTable('parked_batches')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('project_id', 'integer')
    .addColumn('seq', bigint, (c) => c.notNull())
    .addColumn('payload', sql.raw(bytes), (c) => c.notNull())
    .addColumn('events', 'integer', (c) => c.notNull())
    .addColumn('changes', 'integer', (c) => c.notNull())
    .addColumn('error', 'text', (c) => c.notNull())
    .addColumn('created_at', instant, (c) => c.notNull())
    .addColumn('parked_at', instant, (c) => c.notNull())
    .execute()
  await db.schema.createIndex('parked_batches_project').on('parked_batches').columns(['project_id', 'id']).execute()
  await sql`insert into sequences (name, value) values ('parked', 0)`.execute(db)
}

/**
 * For several processes: a draft is of one file of a recording, which one process has begun, and says since when; what each
 * has counted against limits is told to the others; and a row of the outbox says when it was last sent. Drafts of before are
 * dropped: their bytes belong to no recording, and the nightly sweep removes such.
 */
import { type Kysely, sql } from 'kysely'
import type { SqlDialect } from '../dialect.ts'

export async function processes(db: Kysely<unknown>, dialect: SqlDialect): Promise<void> {
  const { instant } = dialect.types
  await db.schema.dropTable('recording_drafts').execute()
  await db.schema
    .createTable('recording_drafts')
    .addColumn('project_id', 'integer', (c) => c.notNull())
    .addColumn('blob_key', 'text', (c) => c.notNull())
    .addColumn('begun_at', instant, (c) => c.notNull())
    .addPrimaryKeyConstraint('recording_drafts_pk', ['project_id', 'blob_key'])
    .execute()
  await db.schema
    .createTable('counted_requests')
    .addColumn('id', 'integer', (c) => dialect.identity(c))
    .addColumn('process', 'text', (c) => c.notNull())
    .addColumn('at', instant, (c) => c.notNull())
    .addColumn('counts', 'text', (c) => c.notNull())
    .execute()
  await db.schema.alterTable('outbox').addColumn('sent_at', instant).execute()
  await sql`update outbox set sent_at = coalesce(applied_at, leased_until) where attempts > 0`.execute(db)
}

/** What capture has to remember: event uuids, ids used without a profile, warnings. */
import { type Kysely, sql } from 'kysely'
import type { SqlDialect } from '../dialect.ts'

export async function intake(db: Kysely<unknown>, dialect: SqlDialect): Promise<void> {
  const { instant, bytes } = dialect.types
  await db.schema
    .createTable('event_uuids')
    .addColumn('project_id', 'integer', (c) => c.notNull())
    .addColumn('uuid', sql.raw(bytes), (c) => c.notNull())
    .addColumn('noted_at', instant, (c) => c.notNull())
    .addPrimaryKeyConstraint('event_uuids_pk', ['project_id', 'uuid'])
    .modifyEnd(sql.raw(dialect.parts.ending('uuid')))
    .execute()
  await dialect.parts.create(db, 'event_uuids')
  await dialect.tune(db, 'event_uuids')
  await db.schema.createIndex('event_uuids_noted').on('event_uuids').column('noted_at').execute()
  await db.schema
    .createTable('personless_ids')
    .addColumn('project_id', 'integer', (c) => c.notNull())
    .addColumn('distinct_id', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('personless_ids_pk', ['project_id', 'distinct_id'])
    .modifyEnd(sql.raw(dialect.clustered))
    .execute()
  await db.schema
    .createTable('ingestion_warnings')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('project_id', 'integer', (c) => c.notNull())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('details', 'text', (c) => c.notNull())
    .addColumn('created_at', instant, (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('ingestion_warnings_newest')
    .on('ingestion_warnings')
    .columns(['project_id', 'created_at'])
    .execute()
}

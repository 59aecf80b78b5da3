/** People, their distinct ids and property history; activity, deletions, the outbox and its sequence. */
import { type Kysely, sql } from 'kysely'
import type { SqlDialect } from '../dialect.ts'

export async function persons(db: Kysely<unknown>, dialect: SqlDialect): Promise<void> {
  const { instant, bigint } = dialect.types
  await db.schema
    .createTable('persons')
    .addColumn('id', 'integer', (c) => dialect.identity(c))
    .addColumn('project_id', 'integer', (c) => c.notNull())
    .addColumn('uuid', 'text', (c) => c.notNull())
    .addColumn('properties', 'text', (c) => c.notNull())
    .addColumn('is_identified', 'integer', (c) => c.notNull())
    .addColumn('created_at', instant, (c) => c.notNull())
    .addColumn('updated_at', instant, (c) => c.notNull())
    .addColumn('last_seen_at', instant)
    .execute()
  await db.schema.createIndex('persons_uuid').unique().on('persons').columns(['project_id', 'uuid']).execute()
  await db.schema.createIndex('persons_newest').on('persons').columns(['project_id', 'created_at', 'id']).execute()
  await db.schema
    .createTable('distinct_ids')
    .addColumn('id', 'integer', (c) => dialect.identity(c))
    .addColumn('project_id', 'integer', (c) => c.notNull())
    .addColumn('distinct_id', 'text', (c) => c.notNull())
    .addColumn('person_id', 'integer', (c) => c.notNull().references('persons.id'))
    .execute()
  await db.schema
    .createIndex('distinct_ids_unique')
    .unique()
    .on('distinct_ids')
    .columns(['project_id', 'distinct_id'])
    .execute()
  await db.schema
    .createIndex('distinct_ids_person')
    .on('distinct_ids')
    .columns(['person_id', 'id', 'distinct_id'])
    .execute()
  await db.schema
    .createTable('property_history')
    .addColumn('id', 'integer', (c) => dialect.identity(c))
    .addColumn('project_id', 'integer', (c) => c.notNull())
    .addColumn('person_id', 'integer', (c) => c.notNull())
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('value', 'text')
    .addColumn('removed', 'integer', (c) => c.notNull())
    .addColumn('once', 'integer', (c) => c.notNull())
    .addColumn('at', instant, (c) => c.notNull())
    .addColumn('seq', bigint, (c) => c.notNull())
    .addColumn('event_uuid', 'text')
    .execute()
  await db.schema.createIndex('property_history_person').on('property_history').columns(['person_id', 'at']).execute()
  await records(db, dialect)
}

async function records(db: Kysely<unknown>, dialect: SqlDialect): Promise<void> {
  const { instant, bigint, bytes } = dialect.types
  await db.schema
    .createTable('activity')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('project_id', 'integer')
    .addColumn('organization_id', 'text')
    .addColumn('user_id', 'integer')
    .addColumn('scope', 'text', (c) => c.notNull())
    .addColumn('item_id', 'text')
    .addColumn('activity', 'text', (c) => c.notNull())
    .addColumn('detail', 'text', (c) => c.notNull())
    .addColumn('created_at', instant, (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('activity_item')
    .on('activity')
    .columns(['project_id', 'scope', 'item_id', 'created_at'])
    .execute()
  await db.schema.createIndex('activity_newest').on('activity').columns(['project_id', 'created_at']).execute()
  await db.schema
    .createTable('deletions')
    .addColumn('id', 'integer', (c) => dialect.identity(c))
    .addColumn('project_id', 'integer', (c) => c.notNull())
    .addColumn('person_id', 'integer', (c) => c.notNull())
    .addColumn('person_uuid', 'text', (c) => c.notNull())
    .addColumn('distinct_ids', 'text', (c) => c.notNull())
    .addColumn('cutoff_seq', bigint, (c) => c.notNull())
    .addColumn('created_by', 'integer')
    .addColumn('created_at', instant, (c) => c.notNull())
    .addColumn('scheduled_for', instant, (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('verified_at', instant)
    .addColumn('events_deleted', bigint)
    .addColumn('sessions_deleted', bigint)
    .addColumn('recordings_deleted', bigint)
    .execute()
  await db.schema
    .createIndex('deletions_pending')
    .unique()
    .on('deletions')
    .columns(['project_id', 'person_id'])
    .where(sql.ref('status'), '=', sql.lit('pending'))
    .execute()
  await db.schema.createIndex('deletions_newest').on('deletions').columns(['project_id', 'created_at']).execute()
  await db.schema
    .createTable('outbox')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('seq', bigint, (c) => c.notNull())
    .addColumn('payload', sql.raw(bytes), (c) => c.notNull())
    .addColumn('created_at', instant, (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('sequences')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('value', bigint, (c) => c.notNull())
    .execute()
  await dialect.seq.create(db)
}

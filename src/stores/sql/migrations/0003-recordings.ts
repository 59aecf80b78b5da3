/**
 * Recordings, their blocks, views and sharing, and the tombstones of deleted ones. Rows of a recording are deleted with
 * it by foreign keys, so that none can outlive it by mistake.
 */
import { type CreateTableBuilder, type Kysely, sql } from 'kysely'
import type { SqlDialect } from '../dialect.ts'

const COUNTERS = [
  'click_count',
  'keypress_count',
  'mouse_activity_count',
  'console_log_count',
  'console_warn_count',
  'console_error_count',
] as const

const ofRecording = <T extends string>(table: CreateTableBuilder<T, never>, name: string) =>
  table
    .addColumn('project_id', 'integer', (c) => c.notNull())
    .addColumn('session_id', 'text', (c) => c.notNull())
    .addForeignKeyConstraint(
      `${name}_recording`,
      ['project_id', 'session_id'],
      'recordings',
      ['project_id', 'session_id'],
      (constraint) => constraint.onDelete('cascade'),
    )

export async function recordings(db: Kysely<unknown>, dialect: SqlDialect): Promise<void> {
  const { instant, bigint } = dialect.types
  let table = db.schema
    .createTable('recordings')
    .addColumn('project_id', 'integer', (c) => c.notNull())
    .addColumn('session_id', 'text', (c) => c.notNull())
    .addColumn('distinct_id', 'text', (c) => c.notNull())
    .addColumn('start_at', instant, (c) => c.notNull())
    .addColumn('end_at', instant, (c) => c.notNull())
    .addColumn('active_ms', bigint, (c) => c.notNull())
    .addColumn('start_url', 'text', (c) => c.notNull())
    .addColumn('snapshot_source', 'text', (c) => c.notNull())
    .addColumn('snapshot_library', 'text')
    .addColumn('total_size', bigint, (c) => c.notNull())
    .addColumn('event_count', bigint, (c) => c.notNull())
    .addColumn('retention_days', 'integer', (c) => c.notNull())
    .addColumn('expires_at', instant, (c) => c.notNull())
    .addColumn('last_ingest_at', instant, (c) => c.notNull())
    .addColumn('person_id', 'integer', (c) => c.references('persons.id').onDelete('set null'))
    .addColumn('analyzed', 'integer', (c) => c.notNull())
    .addColumn('shared_at', instant)
    .addPrimaryKeyConstraint('recordings_pk', ['project_id', 'session_id'])
  for (const counter of COUNTERS) table = table.addColumn(counter, bigint, (c) => c.notNull())
  await table.execute()
  await db.schema
    .createIndex('recordings_newest')
    .on('recordings')
    .columns(['project_id', 'start_at', 'session_id'])
    .execute()
  await db.schema
    .createIndex('recordings_distinct_id')
    .on('recordings')
    .columns(['project_id', 'distinct_id'])
    .execute()
  await db.schema.createIndex('recordings_person').on('recordings').column('person_id').execute()
  await partsOfRecordings(db, dialect)
  await sharing(db, dialect)
}

async function partsOfRecordings(db: Kysely<unknown>, dialect: SqlDialect): Promise<void> {
  const { instant, bigint } = dialect.types
  await ofRecording(db.schema.createTable('recording_blocks'), 'recording_blocks')
    .addColumn('block', 'integer', (c) => c.notNull())
    .addColumn('blob_key', 'text', (c) => c.notNull())
    .addColumn('byte_offset', bigint, (c) => c.notNull())
    .addColumn('byte_length', bigint, (c) => c.notNull())
    .addColumn('first_at', instant, (c) => c.notNull())
    .addColumn('last_at', instant, (c) => c.notNull())
    .addPrimaryKeyConstraint('recording_blocks_pk', ['project_id', 'session_id', 'block'])
    .execute()
  await ofRecording(db.schema.createTable('recording_views'), 'recording_views')
    .addColumn('user_id', 'integer', (c) => c.notNull())
    .addColumn('viewed_at', instant, (c) => c.notNull())
    .addPrimaryKeyConstraint('recording_views_pk', ['project_id', 'session_id', 'user_id'])
    .execute()
  await db.schema
    .createTable('recording_tombstones')
    .addColumn('project_id', 'integer', (c) => c.notNull())
    .addColumn('session_id', 'text', (c) => c.notNull())
    .addColumn('deleted_at', instant, (c) => c.notNull())
    .addColumn('deleted_by', 'integer')
    .addColumn('freed_at', instant)
    .addPrimaryKeyConstraint('recording_tombstones_pk', ['project_id', 'session_id'])
    .execute()
  await db.schema
    .createIndex('recording_tombstones_unfreed')
    .on('recording_tombstones')
    .column('deleted_at')
    .where(sql.ref('freed_at'), 'is', null)
    .execute()
}

async function sharing(db: Kysely<unknown>, dialect: SqlDialect): Promise<void> {
  const { instant } = dialect.types
  await ofRecording(db.schema.createTable('sharing'), 'sharing')
    .addColumn('enabled', 'integer', (c) => c.notNull())
    .addColumn('settings', 'text')
    .addColumn('password_required', 'integer', (c) => c.notNull())
    .addColumn('created_at', instant, (c) => c.notNull())
    .addPrimaryKeyConstraint('sharing_pk', ['project_id', 'session_id'])
    .execute()
  await ofRecording(db.schema.createTable('sharing_tokens'), 'sharing_tokens')
    .addColumn('token', 'text', (c) => c.primaryKey())
    .addColumn('expires_at', instant)
    .execute()
  await db.schema
    .createIndex('sharing_tokens_current')
    .unique()
    .on('sharing_tokens')
    .columns(['project_id', 'session_id'])
    .where(sql.ref('expires_at'), 'is', null)
    .execute()
  await db.schema
    .createIndex('sharing_tokens_recording')
    .on('sharing_tokens')
    .columns(['project_id', 'session_id'])
    .execute()
  await ofRecording(db.schema.createTable('sharing_passwords'), 'sharing_passwords')
    .addColumn('id', 'integer', (c) => dialect.identity(c))
    .addColumn('hash', 'text', (c) => c.notNull())
    .addColumn('note', 'text')
    .addColumn('created_by', 'integer', (c) => c.notNull())
    .addColumn('created_at', instant, (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('sharing_passwords_recording')
    .on('sharing_passwords')
    .columns(['project_id', 'session_id'])
    .execute()
  await db.schema
    .createTable('sharing_tries')
    .addColumn('id', 'integer', (c) => dialect.identity(c))
    .addColumn('token', 'text', (c) => c.notNull().references('sharing_tokens.token').onDelete('cascade'))
    .addColumn('at', instant, (c) => c.notNull())
    .execute()
  await db.schema.createIndex('sharing_tries_token').on('sharing_tries').columns(['token', 'at']).execute()
}

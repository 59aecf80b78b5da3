/** The progress of replay intake for each recording, its snapshots, and the sessions that were just begun. */
import { type CreateTableBuilder, type Kysely, sql } from 'kysely'
import type { SqlDialect } from '../dialect.ts'

const ofSession = <T extends string>(table: CreateTableBuilder<T, never>) =>
  table.addColumn('project_id', 'integer', (c) => c.notNull()).addColumn('session_id', 'text', (c) => c.notNull())

const ofRecording = <T extends string>(table: CreateTableBuilder<T, never>, name: string) =>
  ofSession(table).addForeignKeyConstraint(
    `${name}_recording`,
    ['project_id', 'session_id'],
    'recordings',
    ['project_id', 'session_id'],
    (constraint) => constraint.onDelete('cascade'),
  )

export async function replay(db: Kysely<unknown>, dialect: SqlDialect): Promise<void> {
  const { bigint, bytes } = dialect.types
  await db.schema.alterTable('recording_blocks').addColumn('follows', 'integer').execute()
  await ofRecording(db.schema.createTable('recording_progress'), 'recording_progress')
    .addColumn('activity', 'text', (c) => c.notNull())
    .addColumn('urls', 'text', (c) => c.notNull())
    .addColumn('stored_bytes', bigint, (c) => c.notNull())
    .addPrimaryKeyConstraint('recording_progress_pk', ['project_id', 'session_id'])
    .execute()
  await ofRecording(db.schema.createTable('recording_snapshots'), 'recording_snapshots')
    .addColumn('snapshot', sql.raw(bytes), (c) => c.notNull())
    .addPrimaryKeyConstraint('recording_snapshots_pk', ['project_id', 'session_id', 'snapshot'])
    .modifyEnd(sql.raw(dialect.clustered))
    .execute()
  await ofSession(db.schema.createTable('recording_drafts'))
    .addPrimaryKeyConstraint('recording_drafts_pk', ['project_id', 'session_id'])
    .execute()
}

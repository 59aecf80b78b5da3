/** Which entries of the activity log can be undone, or were, and what is kept for it. Of entries before this step nothing is. */
import type { Kysely } from 'kysely'

export async function undo(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('activity').addColumn('undo', 'text').execute()
  await db.schema
    .createTable('kept_undos')
    .addColumn('activity_id', 'text', (c) => c.primaryKey())
    .addColumn('project_id', 'integer', (c) => c.notNull())
    .addColumn('person_id', 'integer', (c) => c.notNull())
    .addColumn('kept', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('kept_undos_project').on('kept_undos').column('project_id').execute()
  await db.schema
    .createTable('kept_undo_ids')
    .addColumn('project_id', 'integer', (c) => c.notNull())
    .addColumn('distinct_id', 'text', (c) => c.notNull())
    .addColumn('activity_id', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('kept_undo_ids_pk', ['project_id', 'distinct_id', 'activity_id'])
    .execute()
  await db.schema.createIndex('kept_undo_ids_activity').on('kept_undo_ids').column('activity_id').execute()
}

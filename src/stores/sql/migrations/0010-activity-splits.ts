/** An index for the splits of a project: few entries, which are searched for the ids of deleted persons. */
import { type Kysely, sql } from 'kysely'

export async function activitySplits(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('activity_splits')
    .on('activity')
    .columns(['project_id', 'scope'])
    .where(sql.ref('activity'), '=', sql.lit('split_person'))
    .execute()
}

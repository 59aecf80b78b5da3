/** How many confirmations and invitations by mail are planned for each hour of a project. */
import type { Kysely } from 'kysely'
import type { SqlDialect } from '../dialect.ts'

export async function limits(db: Kysely<unknown>, dialect: SqlDialect): Promise<void> {
  await db.schema
    .createTable('planned_mails')
    .addColumn('project_id', 'integer', (c) => c.notNull())
    .addColumn('hour_at', dialect.types.instant, (c) => c.notNull())
    .addColumn('mails', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('planned_mails_pk', ['project_id', 'hour_at'])
    .execute()
}

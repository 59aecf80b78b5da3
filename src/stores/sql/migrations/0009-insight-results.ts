/** Computed results of insights. */
import type { Kysely } from 'kysely'
import type { SqlDialect } from '../dialect.ts'

export async function insightResults(db: Kysely<unknown>, dialect: SqlDialect): Promise<void> {
  await db.schema
    .createTable('insight_results')
    .addColumn('project_id', 'integer', (c) => c.notNull())
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('result', 'text', (c) => c.notNull())
    .addColumn('bytes', 'integer', (c) => c.notNull())
    .addColumn('computed_at', dialect.types.instant, (c) => c.notNull())
    .addPrimaryKeyConstraint('insight_results_pk', ['project_id', 'key'])
    .execute()
  await db.schema
    .createIndex('insight_results_latest')
    .on('insight_results')
    .columns(['project_id', 'computed_at', 'key'])
    .execute()
}

/** What a run of event deletions does and has done, for all processes to read. Of runs before this step nothing is known. */
import type { Kysely } from 'kysely'
import type { SqlDialect } from '../../dialect.ts'

export async function deletionRuns(db: Kysely<unknown>, dialect: SqlDialect): Promise<void> {
  const { instant, bigint } = dialect.types
  await db.schema
    .createTable('deletion_runs')
    .addColumn('id', 'integer', (c) => dialect.identity(c))
    .addColumn('project_id', 'integer')
    .addColumn('started_at', instant, (c) => c.notNull())
    .addColumn('phase', 'text', (c) => c.notNull())
    .addColumn('phase_since', instant, (c) => c.notNull())
    .addColumn('seen_at', instant, (c) => c.notNull())
    .addColumn('is_under_way', 'integer', (c) => c.notNull())
    .addColumn('finished_at', instant)
    .addColumn('bytes_freed', bigint)
    .execute()
  await db.schema.createIndex('deletion_runs_project').on('deletion_runs').columns(['project_id', 'id']).execute()
  await db.schema
    .createTable('deletion_run_counts')
    .addColumn('project_id', 'integer', (c) => c.notNull())
    .addColumn('run_id', 'integer', (c) => c.notNull())
    .addColumn('persons', bigint, (c) => c.notNull())
    .addColumn('events', bigint, (c) => c.notNull())
    .addColumn('sessions', bigint, (c) => c.notNull())
    .addColumn('recordings', bigint, (c) => c.notNull())
    .addPrimaryKeyConstraint('deletion_run_counts_pk', ['project_id', 'run_id'])
    .execute()
}

/** Jobs, the last tick of each recurring one, and an index for expired recordings. */
import { type Kysely, sql } from 'kysely'
import type { SqlDialect } from '../dialect.ts'

export async function jobs(db: Kysely<unknown>, dialect: SqlDialect): Promise<void> {
  const { instant } = dialect.types
  await db.schema
    .createTable('jobs')
    .addColumn('id', 'integer', (c) => dialect.identity(c))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('project_id', 'integer')
    .addColumn('payload', 'text', (c) => c.notNull())
    .addColumn('run_at', instant, (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('lease_owner', 'text')
    .addColumn('lease_until', instant)
    .addColumn('parked_at', instant)
    .addColumn('error', 'text')
    .execute()
  await dialect.tune(db, 'jobs')
  await db.schema.createIndex('jobs_unique').unique().on('jobs').columns(['kind', 'key']).execute()
  await db.schema
    .createIndex('jobs_due')
    .on('jobs')
    .columns(['kind', 'run_at', 'id'])
    .where(sql.ref('parked_at'), 'is', null)
    .execute()
  await db.schema.createIndex('jobs_project').on('jobs').column('project_id').execute()
  await db.schema
    .createTable('ticks')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('last_at', instant, (c) => c.notNull())
    .execute()
  await db.schema.createIndex('recordings_expiry').on('recordings').column('expires_at').execute()
}

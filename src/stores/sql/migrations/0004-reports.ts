/** Insights, dashboards with their tiles, and the subscriptions that send them. */
import { type Kysely, sql } from 'kysely'
import type { SqlDialect } from '../dialect.ts'

export async function reports(db: Kysely<unknown>, dialect: SqlDialect): Promise<void> {
  await insights(db, dialect)
  await dashboards(db, dialect)
  await subscriptions(db, dialect)
}

async function insights(db: Kysely<unknown>, dialect: SqlDialect): Promise<void> {
  const { instant } = dialect.types
  await db.schema
    .createTable('insights')
    .addColumn('id', 'integer', (c) => dialect.identity(c))
    .addColumn('project_id', 'integer', (c) => c.notNull())
    .addColumn('short_id', 'text', (c) => c.notNull())
    .addColumn('name', 'text')
    .addColumn('derived_name', 'text')
    .addColumn('description', 'text')
    .addColumn('query', 'text')
    .addColumn('filters', 'text', (c) => c.notNull())
    .addColumn('favorited', 'integer', (c) => c.notNull())
    .addColumn('tags', 'text', (c) => c.notNull())
    .addColumn('position', 'integer')
    .addColumn('created_at', instant, (c) => c.notNull())
    .addColumn('created_by', 'integer', (c) => c.references('users.id'))
    .addColumn('last_modified_at', instant, (c) => c.notNull())
    .addColumn('last_modified_by', 'integer', (c) => c.references('users.id'))
    .addColumn('deleted', 'integer', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('insights_short_id').unique().on('insights').columns(['project_id', 'short_id']).execute()
  await db.schema.createIndex('insights_newest').on('insights').columns(['project_id', 'created_at', 'id']).execute()
}

async function dashboards(db: Kysely<unknown>, dialect: SqlDialect): Promise<void> {
  await db.schema
    .createTable('dashboards')
    .addColumn('id', 'integer', (c) => dialect.identity(c))
    .addColumn('project_id', 'integer', (c) => c.notNull())
    .addColumn('name', 'text')
    .addColumn('description', 'text', (c) => c.notNull())
    .addColumn('pinned', 'integer', (c) => c.notNull())
    .addColumn('tags', 'text', (c) => c.notNull())
    .addColumn('filters', 'text', (c) => c.notNull())
    .addColumn('creation_mode', 'text', (c) => c.notNull())
    .addColumn('is_default', 'integer', (c) => c.notNull())
    .addColumn('created_at', dialect.types.instant, (c) => c.notNull())
    .addColumn('created_by', 'integer', (c) => c.references('users.id'))
    .addColumn('deleted', 'integer', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('dashboards_project').on('dashboards').column('project_id').execute()
  await db.schema
    .createIndex('dashboards_default')
    .unique()
    .on('dashboards')
    .column('project_id')
    .where(sql.ref('is_default'), '=', sql.lit(1))
    .execute()
  await db.schema
    .createTable('dashboard_tiles')
    .addColumn('id', 'integer', (c) => dialect.identity(c))
    .addColumn('project_id', 'integer', (c) => c.notNull())
    .addColumn('dashboard_id', 'integer', (c) => c.notNull().references('dashboards.id'))
    .addColumn('insight_id', 'integer', (c) => c.notNull().references('insights.id'))
    .addColumn('layouts', 'text', (c) => c.notNull())
    .addColumn('color', 'text')
    .execute()
  await db.schema
    .createIndex('dashboard_tiles_unique')
    .unique()
    .on('dashboard_tiles')
    .columns(['dashboard_id', 'insight_id'])
    .execute()
  await db.schema.createIndex('dashboard_tiles_insight').on('dashboard_tiles').column('insight_id').execute()
}

async function subscriptions(db: Kysely<unknown>, dialect: SqlDialect): Promise<void> {
  const { instant } = dialect.types
  await db.schema
    .createTable('subscriptions')
    .addColumn('id', 'integer', (c) => dialect.identity(c))
    .addColumn('project_id', 'integer', (c) => c.notNull())
    .addColumn('dashboard_id', 'integer', (c) => c.references('dashboards.id'))
    .addColumn('insight_id', 'integer', (c) => c.references('insights.id'))
    .addColumn('target_type', 'text', (c) => c.notNull())
    .addColumn('target_value', 'text', (c) => c.notNull())
    .addColumn('frequency', 'text', (c) => c.notNull())
    .addColumn('interval', 'integer', (c) => c.notNull())
    .addColumn('byweekday', 'text')
    .addColumn('bysetpos', 'integer')
    .addColumn('count', 'integer')
    .addColumn('start_date', instant, (c) => c.notNull())
    .addColumn('until_date', instant)
    .addColumn('timezone', 'text', (c) => c.notNull())
    .addColumn('title', 'text')
    .addColumn('invite_message', 'text')
    .addColumn('created_at', instant, (c) => c.notNull())
    .addColumn('created_by', 'integer', (c) => c.notNull().references('users.id'))
    .addColumn('deleted', 'integer', (c) => c.notNull())
    .addColumn('next_delivery_date', instant)
    .addColumn('signing_secret', 'text')
    .execute()
  await db.schema
    .createIndex('subscriptions_newest')
    .on('subscriptions')
    .columns(['project_id', 'created_at', 'id'])
    .execute()
  await db.schema.createIndex('subscriptions_dashboard').on('subscriptions').column('dashboard_id').execute()
  await db.schema.createIndex('subscriptions_insight').on('subscriptions').column('insight_id').execute()
  await db.schema.createIndex('subscriptions_due').on('subscriptions').column('next_delivery_date').execute()
}

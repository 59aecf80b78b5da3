/** Deliveries with their recipients and status; disabled subscriptions, and addresses that unsubscribed. */
import { type Kysely, sql } from 'kysely'
import type { SqlDialect } from '../dialect.ts'

export async function deliveries(db: Kysely<unknown>, dialect: SqlDialect): Promise<void> {
  await subscriptions(db, dialect)
  await runs(db, dialect)
  await recipients(db, dialect)
}

async function subscriptions(db: Kysely<unknown>, { types: { instant } }: SqlDialect): Promise<void> {
  await db.schema.alterTable('subscriptions').addColumn('disabled_at', instant).execute()
  await db.schema.alterTable('subscriptions').addColumn('disabled_reason', 'text').execute()
  await db.schema
    .createTable('subscription_departures')
    .addColumn('project_id', 'integer', (c) => c.notNull())
    .addColumn('subscription_id', 'integer', (c) => c.notNull().references('subscriptions.id'))
    .addColumn('address', 'text', (c) => c.notNull())
    .addColumn('departed_at', instant, (c) => c.notNull())
    .addPrimaryKeyConstraint('subscription_departures_pk', ['subscription_id', 'address'])
    .execute()
}

async function runs(db: Kysely<unknown>, { types: { instant } }: SqlDialect): Promise<void> {
  await db.schema
    .createTable('deliveries')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('project_id', 'integer', (c) => c.notNull())
    .addColumn('subscription_id', 'integer', (c) => c.notNull().references('subscriptions.id'))
    .addColumn('idempotency_key', 'text', (c) => c.notNull())
    .addColumn('trigger_type', 'text', (c) => c.notNull())
    .addColumn('occasion', 'text', (c) => c.notNull())
    .addColumn('scheduled_at', instant)
    .addColumn('is_late', 'integer', (c) => c.notNull())
    .addColumn('target_type', 'text', (c) => c.notNull())
    .addColumn('target_value', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('error', 'text')
    .addColumn('insight_ids', 'text', (c) => c.notNull())
    .addColumn('content', 'text', (c) => c.notNull())
    .addColumn('created_at', instant, (c) => c.notNull())
    .addColumn('updated_at', instant, (c) => c.notNull())
    .addColumn('finished_at', instant)
    .execute()
  await db.schema.createIndex('deliveries_key').unique().on('deliveries').column('idempotency_key').execute()
  await db.schema
    .createIndex('deliveries_newest')
    .on('deliveries')
    .columns(['subscription_id', 'created_at', 'id'])
    .execute()
  await db.schema
    .createIndex('deliveries_open')
    .on('deliveries')
    .column('subscription_id')
    .where(sql.ref('status'), '=', sql.lit('starting'))
    .execute()
}

async function recipients(db: Kysely<unknown>, { types: { instant } }: SqlDialect): Promise<void> {
  await db.schema
    .createTable('delivery_recipients')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('delivery_id', 'text', (c) => c.notNull().references('deliveries.id'))
    .addColumn('project_id', 'integer', (c) => c.notNull())
    .addColumn('recipient', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('resends', 'integer', (c) => c.notNull())
    .addColumn('message_id', 'text')
    .addColumn('possible_repeat', 'integer', (c) => c.notNull())
    .addColumn('error', 'text')
    .addColumn('created_at', instant, (c) => c.notNull())
    .addColumn('updated_at', instant, (c) => c.notNull())
    .addColumn('sent_at', instant)
    .execute()
  // With the delivery's own key: subscription, occurrence and recipient together exist once.
  await db.schema
    .createIndex('delivery_recipients_unique')
    .unique()
    .on('delivery_recipients')
    .columns(['delivery_id', 'recipient'])
    .execute()
}

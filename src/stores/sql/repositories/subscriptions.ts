/** Subscriptions in SQL. */
import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import type {
  Frequency,
  NewSubscription,
  Subscription,
  SubscriptionFilter,
  SubscriptionOrder,
  SubscriptionReader,
  SubscriptionWriter,
  TargetType,
} from '../../../model/subscriptions/subscription.ts'
import { arg, type Connection, prepared } from '../connection.ts'
import { type Index, within } from '../queries/index-scan.ts'
import { pageRows } from '../queries/page-rows.ts'
import { type SortedList, sortedPage } from '../queries/sorted-page.ts'
import { containsWords } from '../queries/word-search.ts'
import type { SubscriptionTable } from '../tables.ts'

const toSubscription = (row: Selectable<SubscriptionTable>): Subscription => ({
  id: row.id,
  projectId: row.project_id,
  dashboardId: row.dashboard_id,
  insightId: row.insight_id,
  targetType: row.target_type as TargetType,
  targetValue: row.target_value,
  frequency: row.frequency as Frequency,
  interval: row.interval,
  byweekday: row.byweekday === null ? null : JSON.parse(row.byweekday),
  bysetpos: row.bysetpos,
  count: row.count,
  startDate: row.start_date,
  untilDate: row.until_date,
  timezone: row.timezone,
  title: row.title,
  inviteMessage: row.invite_message,
  createdAt: row.created_at,
  createdById: row.created_by,
  deleted: row.deleted === 1,
  nextDeliveryDate: row.next_delivery_date,
  disabledAt: row.disabled_at,
  disabledReason: row.disabled_reason,
  signingSecret: row.signing_secret,
})

const toRow = (subscription: NewSubscription) => ({
  project_id: subscription.projectId,
  dashboard_id: subscription.dashboardId,
  insight_id: subscription.insightId,
  target_type: subscription.targetType,
  target_value: subscription.targetValue,
  frequency: subscription.frequency,
  interval: subscription.interval,
  byweekday: subscription.byweekday === null ? null : JSON.stringify(subscription.byweekday),
  bysetpos: subscription.bysetpos,
  count: subscription.count,
  start_date: subscription.startDate,
  until_date: subscription.untilDate,
  timezone: subscription.timezone,
  title: subscription.title,
  invite_message: subscription.inviteMessage,
  created_at: subscription.createdAt,
  created_by: subscription.createdById,
  deleted: subscription.deleted ? (1 as const) : (0 as const),
  next_delivery_date: subscription.nextDeliveryDate,
  disabled_at: subscription.disabledAt,
  disabled_reason: subscription.disabledReason,
  signing_secret: subscription.signingSecret,
})

const SEARCHED = ['subscriptions.title', 'insights.name', 'insights.derived_name', 'dashboards.name']

/** With everything that lists filter, search and order by joined; each join finds at most one row. */
function filtered(connection: Connection, filter: SubscriptionFilter) {
  const { projectId, deleted, insightId, dashboardId, createdByUuid, targetType, resourceType, search } = filter
  const { db, dialect } = connection
  const unindexed = (column: string) => dialect.unindexed(sql.ref(column))
  let query = db
    .selectFrom('subscriptions')
    .innerJoin('users', 'users.id', 'subscriptions.created_by')
    .leftJoin('insights', 'insights.id', 'subscriptions.insight_id')
    .leftJoin('dashboards', 'dashboards.id', 'subscriptions.dashboard_id')
    // By no index, so that the engine uses the one that is scanned.
    .where(unindexed('subscriptions.project_id'), '=', projectId)
    .where('subscriptions.deleted', '=', deleted ? 1 : 0)
  if (insightId !== undefined) query = query.where(unindexed('subscriptions.insight_id'), '=', insightId)
  if (dashboardId !== undefined) query = query.where(unindexed('subscriptions.dashboard_id'), '=', dashboardId)
  if (createdByUuid !== undefined) query = query.where('users.uuid', '=', createdByUuid)
  if (targetType !== undefined) query = query.where('subscriptions.target_type', '=', targetType)
  if (resourceType === 'none') query = query.where(sql<SqlBool>`false`)
  else if (resourceType !== undefined) {
    const isInsight = sql<SqlBool>`(subscriptions.insight_id is not null and subscriptions.dashboard_id is null)`
    query = query.where(resourceType === 'insight' ? isInsight : sql<SqlBool>`not ${isInsight}`)
  }
  return search ? query.where(containsWords(connection, SEARCHED, search)) : query
}

/** Those of an insight or a dashboard have indexes of their own. */
function indexOf({ projectId, insightId, dashboardId }: SubscriptionFilter): Index {
  const id = sql<number>`subscriptions.id`
  const along = (of: RawBuilder<SqlBool>, by: RawBuilder<number>[]): Index => ({
    table: 'subscriptions',
    of,
    by,
    descending: true,
  })
  if (insightId !== undefined) return along(sql`subscriptions.insight_id = ${insightId}`, [id])
  if (dashboardId !== undefined) return along(sql`subscriptions.dashboard_id = ${dashboardId}`, [id])
  return along(sql`subscriptions.project_id = ${projectId}`, [sql`subscriptions.created_at`, id])
}

/** Ties are ordered newest first. */
function sorted(connection: Connection, filter: SubscriptionFilter, order: SubscriptionOrder[]): SortedList {
  const { fold } = connection.dialect
  const columns: Record<SubscriptionOrder['by'], RawBuilder<string | number | null>> = {
    created_at: sql.ref<number>('subscriptions.created_at'),
    next_delivery_date: sql.ref<number | null>('subscriptions.next_delivery_date'),
    title: fold(sql.ref('subscriptions.title')),
    created_by__email: fold(sql.ref('users.email')),
  }
  const by = [
    ...order.map((entry) => columns[entry.by]),
    columns.created_at,
    sql.ref<number | null>('subscriptions.id'),
  ]
  const index = indexOf(filter)
  return {
    index,
    async keysIn(range) {
      const selected = by.map((column, place) => column.as(`by${place}`))
      const query = filtered(connection, filter).where(within(index, range)).select('subscriptions.id').select(selected)
      const rows = (await query.execute()) as (Record<string, string | number | null> & { id: number })[]
      return rows.map((row) => ({ id: row.id, by: by.map((_, place) => row[`by${place}`] ?? null) }))
    },
    descending: [...order.map(({ descending }) => descending), true, true],
  }
}

const advanceDate = prepared((db) =>
  db
    .updateTable('subscriptions')
    .set({ next_delivery_date: arg<number | null>(2) })
    .where('id', '=', arg<number>(0))
    .where('next_delivery_date', '=', arg<number>(1))
    .where('deleted', '=', 0)
    .where('disabled_at', 'is', null)
    .returning('id'),
)

const subscriptionById = prepared<Selectable<SubscriptionTable>>((db) =>
  db.selectFrom('subscriptions').selectAll().where('project_id', '=', arg<number>(0)).where('id', '=', arg<number>(1)),
)

const LONG = ['target_value', 'invite_message'] satisfies (keyof SubscriptionTable)[]

export function subscriptionReader(connection: Connection): SubscriptionReader {
  const { db } = connection
  return {
    async find(projectId, id) {
      const [row] = await subscriptionById.run(connection, projectId, id)
      return row ? toSubscription(row) : null
    },
    async list(filter, order, request) {
      const { count, ids } = await sortedPage(connection, sorted(connection, filter, order), request)
      const rows = await pageRows(connection, 'subscriptions', ids, LONG)
      return { count, items: rows.map(toSubscription) }
    },
    async due(now, limit) {
      const rows = await db
        .selectFrom('subscriptions')
        .selectAll()
        .where('next_delivery_date', '<=', now)
        .where('deleted', '=', 0)
        .where('disabled_at', 'is', null)
        .orderBy('next_delivery_date')
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(toSubscription)
    },
    async ahead(now, afterId, limit) {
      const rows = await db
        .selectFrom('subscriptions')
        .selectAll()
        .where((eb) => eb.or([eb('next_delivery_date', '>', now), eb('next_delivery_date', 'is', null)]))
        .where('deleted', '=', 0)
        .where('disabled_at', 'is', null)
        .where('id', '>', afterId)
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(toSubscription)
    },
    async departedAt(subscriptionId, address) {
      const row = await db
        .selectFrom('subscription_departures')
        .select('departed_at')
        .where('subscription_id', '=', subscriptionId)
        .where('address', '=', address.toLowerCase())
        .executeTakeFirst()
      return row?.departed_at ?? null
    },
  }
}

export function subscriptionWriter(connection: Connection): SubscriptionWriter {
  const { db } = connection
  const reader = subscriptionReader(connection)
  return {
    ...reader,
    async create(subscription) {
      const row = await db
        .insertInto('subscriptions')
        .values(toRow(subscription))
        .returningAll()
        .executeTakeFirstOrThrow()
      return toSubscription(row)
    },
    async update(projectId, id, patch) {
      const current = await reader.find(projectId, id)
      if (!current) return null
      const next = { ...current, ...patch }
      await db.updateTable('subscriptions').set(toRow(next)).where('id', '=', id).execute()
      return next
    },
    async advance(id, from, to) {
      return (await advanceDate.run(connection, id, from, to)).length > 0
    },
    async addDeparture(subscription, address, at) {
      await db
        .insertInto('subscription_departures')
        .values({
          project_id: subscription.projectId,
          subscription_id: subscription.id,
          address: address.toLowerCase(),
          departed_at: at,
        })
        .onConflict((c) => c.columns(['subscription_id', 'address']).doUpdateSet({ departed_at: at }))
        .execute()
    },
  }
}

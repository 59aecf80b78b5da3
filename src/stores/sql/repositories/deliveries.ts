/** Deliveries and their recipients in SQL. */

import { type Selectable, type SqlBool, sql } from 'kysely'
import { chunks } from '../../../lib/lists/lists.ts'
import type {
  Delivery,
  DeliveryError,
  DeliveryOccasion,
  DeliveryPatch,
  DeliveryReader,
  DeliveryRecipient,
  DeliveryStatus,
  DeliveryTrigger,
  DeliveryWriter,
  NewDelivery,
  RecipientPatch,
  RecipientStatus,
} from '../../../model/subscriptions/delivery.ts'
import type { TargetType } from '../../../model/subscriptions/subscription.ts'
import { arg, type Connection, prepared } from '../connection.ts'
import type { Index } from '../queries/index-scan.ts'
import { type Listed, newestPage } from '../queries/newest-first.ts'
import type { DeliveryRecipientTable, DeliveryTable } from '../tables.ts'

const readError = (text: string | null): DeliveryError | null => (text === null ? null : JSON.parse(text))
const writeError = (error: DeliveryError | null): string | null => (error === null ? null : JSON.stringify(error))
const isWaiting = ({ error }: { error: string | null }): boolean => readError(error)?.type === 'waiting'
const flag = (value: boolean) => (value ? (1 as const) : (0 as const))

const toDelivery = (row: Selectable<DeliveryTable>): Delivery => ({
  id: row.id,
  projectId: row.project_id,
  subscriptionId: row.subscription_id,
  idempotencyKey: row.idempotency_key,
  trigger: row.trigger_type as DeliveryTrigger,
  occasion: row.occasion as DeliveryOccasion,
  scheduledAt: row.scheduled_at,
  isLate: row.is_late === 1,
  targetType: row.target_type as TargetType,
  targetValue: row.target_value,
  status: row.status as DeliveryStatus,
  error: readError(row.error),
  insightIds: JSON.parse(row.insight_ids),
  content: JSON.parse(row.content),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  finishedAt: row.finished_at,
})

const toRow = (delivery: Delivery) => ({
  id: delivery.id,
  project_id: delivery.projectId,
  subscription_id: delivery.subscriptionId,
  idempotency_key: delivery.idempotencyKey,
  trigger_type: delivery.trigger,
  occasion: delivery.occasion,
  scheduled_at: delivery.scheduledAt,
  is_late: flag(delivery.isLate),
  target_type: delivery.targetType,
  target_value: delivery.targetValue,
  status: delivery.status,
  error: writeError(delivery.error),
  insight_ids: JSON.stringify(delivery.insightIds),
  content: JSON.stringify(delivery.content),
  created_at: delivery.createdAt,
  updated_at: delivery.updatedAt,
  finished_at: delivery.finishedAt,
})

const toRecipient = (row: Selectable<DeliveryRecipientTable>): DeliveryRecipient => ({
  id: row.id,
  deliveryId: row.delivery_id,
  projectId: row.project_id,
  recipient: row.recipient,
  status: row.status as RecipientStatus,
  attempts: row.attempts,
  resends: row.resends,
  messageId: row.message_id,
  possibleRepeat: row.possible_repeat === 1,
  error: readError(row.error),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  sentAt: row.sent_at,
})

const toRecipientRow = (recipient: DeliveryRecipient) => ({
  id: recipient.id,
  delivery_id: recipient.deliveryId,
  project_id: recipient.projectId,
  recipient: recipient.recipient,
  status: recipient.status,
  attempts: recipient.attempts,
  resends: recipient.resends,
  message_id: recipient.messageId,
  possible_repeat: flag(recipient.possibleRepeat),
  error: writeError(recipient.error),
  created_at: recipient.createdAt,
  updated_at: recipient.updatedAt,
  sent_at: recipient.sentAt,
})

const changes = ({ status, error, insightIds, content, finishedAt }: DeliveryPatch) => ({
  ...(status === undefined ? {} : { status }),
  ...(error === undefined ? {} : { error: writeError(error) }),
  ...(insightIds === undefined ? {} : { insight_ids: JSON.stringify(insightIds) }),
  ...(content === undefined ? {} : { content: JSON.stringify(content) }),
  ...(finishedAt === undefined ? {} : { finished_at: finishedAt }),
})

const recipientChanges = ({ status, attempts, resends, possibleRepeat, error, sentAt }: RecipientPatch) => ({
  ...(status === undefined ? {} : { status }),
  ...(attempts === undefined ? {} : { attempts }),
  ...(resends === undefined ? {} : { resends }),
  ...(possibleRepeat === undefined ? {} : { possible_repeat: flag(possibleRepeat) }),
  ...(error === undefined ? {} : { error: writeError(error) }),
  ...(sentAt === undefined ? {} : { sent_at: sentAt }),
})

const OPEN: RecipientStatus[] = ['pending', 'sending']
/** Rows per statement: their columns together stay far below the number of values that an engine can bind. */
const ROWS_AT_ONCE = 500

const recipientById = prepared<Selectable<DeliveryRecipientTable>>((db) =>
  db.selectFrom('delivery_recipients').selectAll().where('id', '=', arg<string>(0)),
)

const deliveryById = prepared<Selectable<DeliveryTable>>((db) =>
  db.selectFrom('deliveries').selectAll().where('id', '=', arg<string>(0)).where('project_id', '=', arg<number>(1)),
)

const openOf = prepared<{ count: number }>((db) =>
  db
    .selectFrom('delivery_recipients')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('delivery_id', '=', arg<string>(0))
    .where('status', 'in', OPEN),
)

const LONG: Listed<'deliveries'>['long'] = ['content', 'insight_ids', 'target_value']

export function deliveryReader(connection: Connection): DeliveryReader {
  const { db } = connection
  return {
    async find(projectId, id) {
      const [row] = await deliveryById.run(connection, id, projectId)
      return row ? toDelivery(row) : null
    },
    async list({ projectId, subscriptionId, status }, page) {
      const of = sql<SqlBool>`subscription_id = ${subscriptionId}`
      const index: Index = { table: 'deliveries', of, by: [sql`created_at`, sql`id`], descending: true }
      const ofProject = sql<SqlBool>`project_id = ${projectId}`
      const ofStatus = sql`${connection.dialect.unindexed(sql`status`)} = ${status}`
      const condition = status === undefined ? ofProject : sql<SqlBool>`${ofProject} and ${ofStatus}`
      const listed: Listed<'deliveries'> = { table: 'deliveries', parts: [{ index, condition }], long: LONG }
      const { count, items } = await newestPage(connection, listed, page)
      return { count, items: items.map(toDelivery) }
    },
    async recipients(deliveryIds) {
      if (deliveryIds.length === 0) return []
      const rows = await db
        .selectFrom('delivery_recipients')
        .selectAll()
        .where('delivery_id', 'in', deliveryIds)
        .orderBy('id')
        .execute()
      return rows.map(toRecipient)
    },
    async findRecipient(id) {
      const [row] = await recipientById.run(connection, id)
      return row ? toRecipient(row) : null
    },
    async isUnderWay(subscriptionId) {
      const starting = await db
        .selectFrom('deliveries')
        .select(['id', 'error'])
        .where('subscription_id', '=', subscriptionId)
        // A literal: the partial index of open ones is not used for a bound value.
        .where('status', '=', sql.lit('starting'))
        .execute()
      if (starting.length === 0 || !starting.every(isWaiting)) return starting.length > 0
      const ids = starting.map(({ id }) => id)
      const open = db.selectFrom('delivery_recipients').select(['status', 'error']).where('delivery_id', 'in', ids)
      const rows = await open.where('status', 'in', OPEN).execute()
      return rows.some((row) => row.status === 'sending' || !isWaiting(row))
    },
  }
}

async function add(db: Connection['db'], deliveries: NewDelivery[]): Promise<string[]> {
  const added = new Set<string>()
  for (const some of chunks(deliveries, ROWS_AT_ONCE)) {
    const rows = await db
      .insertInto('deliveries')
      .values(some.map(({ delivery }) => toRow(delivery)))
      .onConflict((c) => c.column('idempotency_key').doNothing())
      .returning('id')
      .execute()
    for (const { id } of rows) added.add(id)
  }
  const recipients = deliveries.filter(({ delivery }) => added.has(delivery.id)).flatMap((one) => one.recipients)
  for (const some of chunks(recipients, ROWS_AT_ONCE)) {
    await db.insertInto('delivery_recipients').values(some.map(toRecipientRow)).execute()
  }
  return [...added]
}

export function deliveryWriter(connection: Connection): DeliveryWriter {
  const { db } = connection
  return {
    ...deliveryReader(connection),
    add: (deliveries) => add(db, deliveries),
    async update(id, patch, now) {
      await db
        .updateTable('deliveries')
        .set({ ...changes(patch), updated_at: now })
        .where('id', '=', id)
        .execute()
    },
    async forgetMissedAfter(now) {
      const skipped = await db
        .selectFrom('deliveries')
        .select(['id', 'error'])
        .where('status', '=', 'skipped')
        .where('scheduled_at', '>', now)
        .execute()
      const missed = skipped.filter(({ error }) => error !== null && JSON.parse(error).type === 'missed')
      for (const some of chunks(missed, ROWS_AT_ONCE)) {
        const ids = some.map(({ id }) => id)
        await db.deleteFrom('deliveries').where('id', 'in', ids).execute()
      }
    },
    async updateRecipient(id, patch, now) {
      await db
        .updateTable('delivery_recipients')
        .set({ ...recipientChanges(patch), updated_at: now })
        .where('id', '=', id)
        .execute()
    },
    async plannedMails(projectId, from) {
      const ofProject = db.deleteFrom('planned_mails').where('project_id', '=', projectId)
      await ofProject.where('hour_at', '<', from).execute()
      const rows = await db.selectFrom('planned_mails').selectAll().where('project_id', '=', projectId).execute()
      return new Map(rows.map((row) => [row.hour_at, row.mails]))
    },
    async planMails(projectId, hourAt, mails) {
      await db
        .insertInto('planned_mails')
        .values({ project_id: projectId, hour_at: hourAt, mails })
        .onConflict((c) =>
          c.columns(['project_id', 'hour_at']).doUpdateSet((eb) => ({ mails: eb('planned_mails.mails', '+', mails) })),
        )
        .execute()
    },
    async countOpen(deliveryId) {
      const [row] = await openOf.run(connection, deliveryId)
      return row?.count ?? 0
    },
  }
}

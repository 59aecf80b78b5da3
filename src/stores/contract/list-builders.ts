/**
 * Thousands of rows for every list that scans an index, and the expected result of each list by a plain computation.
 */
import { randomUUID } from 'node:crypto'
import { uuidV7 } from '../../lib/ids.ts'
import { chunks } from '../../lib/lists/lists.ts'
import type { Activity, ActivityFilter } from '../../model/accounts/activity.ts'
import type { PageRequest } from '../../model/page.ts'
import type { SqlReaders, SqlStores, SqlWriters } from '../../model/stores.ts'
import type { Delivery } from '../../model/subscriptions/delivery.ts'
import type { SubscriptionOrder } from '../../model/subscriptions/subscription.ts'
import {
  insertInsight,
  insertProject,
  insertUser,
  NOW,
  newDashboard,
  newInsight,
  newSubscription,
} from './sql-builders.ts'

type Id = string | number

/** The readers of the lists. */
export type Lists = Pick<
  SqlReaders,
  'activity' | 'deletions' | 'deliveries' | 'intake' | 'insights' | 'dashboards' | 'subscriptions'
>

interface Row {
  id: Id
  n: number
  createdAt: number
}

/** One list: a function that reads it, and all expected ids in order. */
export interface ManyList {
  name: string
  list: (from: Lists, page: PageRequest) => Promise<{ count: number; items: { id: Id }[] }>
  expected: Id[]
}

/** Many share an instant, out of the order in which they were created: ties span portions. */
const createdAt = (n: number): number => NOW + (n % 7 === 0 ? 0 : Math.floor(n / 3))
const newestFirst = (a: Row, b: Row): number => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1)

/** Creates `count` rows in a few transactions; `some` creates those with these numbers and returns them in this order. */
async function makeSome(
  stores: SqlStores,
  count: number,
  some: (tx: SqlWriters, numbers: number[]) => Promise<{ id: Id }[]>,
): Promise<Row[]> {
  const rows: Row[] = []
  for (const part of chunks([...Array(count).keys()], 1_000)) {
    const made = await stores.transaction((tx) => some(tx, part))
    rows.push(...part.map((n, place) => ({ id: (made[place] as { id: Id }).id, n, createdAt: createdAt(n) })))
  }
  return rows.sort(newestFirst)
}

/** Where the writer takes one row at a time. They are asked for at once, so that a server is not waited for each time. */
const make = (
  stores: SqlStores,
  count: number,
  one: (tx: SqlWriters, n: number) => Promise<{ id: Id }>,
): Promise<Row[]> => makeSome(stores, count, (tx, numbers) => Promise.all(numbers.map((n) => one(tx, n))))

const idsWhere = (rows: Row[], holds: (n: number) => boolean): Id[] =>
  rows.filter(({ n }) => holds(n)).map(({ id }) => id)

async function activityLists(stores: SqlStores, count: number): Promise<ManyList[]> {
  const { id: projectId, organizationId } = await insertProject(stores)
  const detail = { changes: null, trigger: null, name: null, short_id: null, type: null }
  const ofProject = (n: number) => n % 5 !== 0
  const isPerson = (n: number) => n % 3 === 0
  const rows = await make(stores, count, async (tx, n) => {
    const entry: Activity = {
      id: uuidV7(NOW),
      ...(ofProject(n) ? { projectId, organizationId: null } : { projectId: null, organizationId }),
      userId: n % 1_000,
      scope: isPerson(n) ? 'Person' : 'Insight',
      itemId: String(n % 2),
      activity: 'updated',
      detail,
      createdAt: createdAt(n),
      undo: null,
    }
    await tx.activity.add(entry)
    return entry
  })
  const listOf = (name: string, filter: Partial<ActivityFilter>, holds: (n: number) => boolean): ManyList => ({
    name: `activity ${name}`,
    async list(from, page) {
      const { total, items } = await from.activity.page({ projectId, ...filter }, page)
      return { count: total, items }
    },
    expected: idsWhere(rows, holds),
  })
  return [
    listOf('of a project', {}, ofProject),
    listOf('of a project and its organisation', { organizationId }, () => true),
    listOf('by scope', { scope: 'Person' }, (n) => ofProject(n) && isPerson(n)),
    listOf('by user', { organizationId, user: { id: 77 } }, (n) => n % 1_000 === 77),
    listOf('of an object', { scope: 'Insight', itemId: '1' }, (n) => ofProject(n) && !isPerson(n) && n % 2 === 1),
    listOf('of nobody', { user: { uuid: randomUUID() } }, () => false),
  ]
}

async function deletionLists(stores: SqlStores, count: number): Promise<ManyList[]> {
  const { id: projectId } = await insertProject(stores)
  const uuidOf = (n: number) => `00000000-0000-0000-0000-${String(n % 10).padStart(12, '0')}`
  const rows = await make(stores, count, (tx, n) =>
    tx.deletions.insert({
      projectId,
      personId: n + 1,
      personUuid: uuidOf(n),
      distinctIds: ['ann'],
      cutoffSeq: 10,
      createdBy: 1,
      createdAt: createdAt(n),
      scheduledFor: NOW,
      recordingsDeleted: null,
    }),
  )
  const all = { projectId }
  return [
    { name: 'deletions', list: (from, page) => from.deletions.list(all, page), expected: idsWhere(rows, () => true) },
    {
      name: 'deletions of a person',
      list: (from, page) => from.deletions.list({ ...all, personUuid: uuidOf(3) }, page),
      expected: idsWhere(rows, (n) => n % 10 === 3),
    },
  ]
}

async function deliveryLists(stores: SqlStores, count: number): Promise<ManyList[]> {
  const { id: projectId } = await insertProject(stores)
  const { id: createdById } = await insertUser(stores, `${randomUUID()}@example.com`)
  const subscription = newSubscription({ projectId, createdById })
  const { id: subscriptionId } = await stores.transaction((tx) => tx.subscriptions.create(subscription))
  const newDelivery = (n: number): Delivery => {
    const id = uuidV7(NOW)
    return {
      id,
      projectId,
      subscriptionId,
      idempotencyKey: id,
      trigger: 'scheduled',
      occasion: 'scheduled',
      scheduledAt: NOW,
      isLate: false,
      targetType: 'email',
      targetValue: 'ann@example.com',
      status: n % 4 === 0 ? 'failed' : 'completed',
      error: null,
      insightIds: [],
      content: {},
      createdAt: createdAt(n),
      updatedAt: NOW,
      finishedAt: null,
    }
  }
  const rows = await makeSome(stores, count, async (tx, numbers) => {
    const deliveries = numbers.map(newDelivery)
    await tx.deliveries.add(deliveries.map((delivery) => ({ delivery, recipients: [] })))
    return deliveries
  })
  const of = { projectId, subscriptionId }
  return [
    { name: 'deliveries', list: (from, page) => from.deliveries.list(of, page), expected: idsWhere(rows, () => true) },
    {
      name: 'deliveries by status',
      list: (from, page) => from.deliveries.list({ ...of, status: 'failed' }, page),
      expected: idsWhere(rows, (n) => n % 4 === 0),
    },
  ]
}

async function warningLists(stores: SqlStores, count: number): Promise<ManyList[]> {
  const { id: projectId } = await insertProject(stores)
  const newWarning = (n: number) => ({
    id: uuidV7(NOW),
    type: `type-${n % 3}`,
    details: { n },
    createdAt: createdAt(n),
  })
  const rows = await makeSome(stores, Math.min(count, 9_000), async (tx, numbers) => {
    const warnings = numbers.map(newWarning)
    await tx.intake.addWarnings(projectId, warnings)
    return warnings
  })
  return [
    {
      name: 'warnings',
      list: (from, page) => from.intake.warnings(projectId, null, page),
      expected: idsWhere(rows, () => true),
    },
    {
      name: 'warnings by type',
      list: (from, page) => from.intake.warnings(projectId, 'type-1', page),
      expected: idsWhere(rows, (n) => n % 3 === 1),
    },
  ]
}

/** Some differ only in case, some are null, some are beyond ASCII and beyond the BMP. */
const nameOf = (n: number): string | null => [null, 'Ärger', 'ärger', 'zebra', '😀', '｡', 'Alpha'][n % 7] ?? null
const folded = (n: number): string | null => nameOf(n)?.toLowerCase() ?? null

const compareText = (a: string | null, b: string | null): number => {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

async function insightLists(stores: SqlStores, count: number): Promise<ManyList[]> {
  const { id: projectId } = await insertProject(stores)
  const rows = await make(stores, count, (tx, n) =>
    tx.insights.create(
      newInsight({ projectId, shortId: `s${n}`, name: nameOf(n), favorited: n % 2 === 0, createdAt: createdAt(n) }),
    ),
  )
  const all = { projectId, deleted: false }
  const listOf = (name: string, filter: object, holds: (n: number) => boolean): ManyList => ({
    name: `insights ${name}`,
    list: (from, page) => from.insights.list({ ...all, ...filter }, page),
    expected: idsWhere(rows, holds),
  })
  return [
    listOf('', {}, () => true),
    listOf('by favour', { favorited: true }, (n) => n % 2 === 0),
    listOf('by search', { search: ['ÄRGER'] }, (n) => n % 7 === 1 || n % 7 === 2),
    listOf('by short id', { shortId: 's4321' }, (n) => n === 4_321),
  ]
}

async function dashboardLists(stores: SqlStores, count: number): Promise<ManyList[]> {
  const { id: projectId } = await insertProject(stores)
  const rows = await make(stores, count, (tx, n) =>
    tx.dashboards.create(newDashboard({ projectId, name: nameOf(n), pinned: n % 50 === 0 })),
  )
  const pinned = (row: Row) => Number(row.n % 50 !== 0)
  rows.sort((a, b) => pinned(a) - pinned(b) || compareText(folded(a.n), folded(b.n)) || Number(a.id) - Number(b.id))
  const all = { projectId, deleted: false }
  return [
    { name: 'dashboards', list: (from, page) => from.dashboards.list(all, page), expected: idsWhere(rows, () => true) },
    {
      name: 'dashboards by search',
      list: (from, page) => from.dashboards.list({ ...all, search: ['ärger'] }, page),
      expected: idsWhere(rows, (n) => n % 7 === 1 || n % 7 === 2),
    },
  ]
}

async function subscriptionLists(stores: SqlStores, count: number): Promise<ManyList[]> {
  const { id: projectId } = await insertProject(stores)
  const { id: createdById } = await insertUser(stores, `${randomUUID()}@example.com`)
  const insight = await insertInsight(stores, { projectId })
  const dateOf = (n: number) => (n % 11 === 0 ? null : NOW + (n % 5))
  const rows = await make(stores, count, (tx, n) =>
    tx.subscriptions.create(
      newSubscription({
        projectId,
        createdById,
        title: nameOf(n),
        nextDeliveryDate: dateOf(n),
        createdAt: createdAt(n),
        ...(n % 2 === 0 ? { insightId: insight.id } : {}),
      }),
    ),
  )
  const all = { projectId, deleted: false }
  const listOf = (name: string, filter: object, order: SubscriptionOrder[], expected: Row[]): ManyList => ({
    name: `subscriptions ${name}`,
    list: (from, page) => from.subscriptions.list({ ...all, ...filter }, order, page),
    expected: expected.map(({ id }) => id),
  })
  const byDateAndTitle = rows.toSorted((a, b) => {
    const [left, right] = [dateOf(a.n), dateOf(b.n)]
    const nulls = Number(left === null) - Number(right === null)
    return nulls || Number(right) - Number(left) || compareText(folded(a.n), folded(b.n)) || newestFirst(a, b)
  })
  const order: SubscriptionOrder[] = [
    { by: 'next_delivery_date', descending: true },
    { by: 'title', descending: false },
  ]
  return [
    listOf('newest first', {}, [], rows),
    listOf('by date and title', {}, order, byDateAndTitle),
    listOf(
      'of an insight',
      { insightId: insight.id },
      [],
      rows.filter(({ n }) => n % 2 === 0),
    ),
    listOf(
      'by search',
      { search: ['zebra'] },
      [],
      rows.filter(({ n }) => n % 7 === 3),
    ),
  ]
}

export async function manyLists(stores: SqlStores, count: number): Promise<ManyList[]> {
  const makers = [
    activityLists,
    deletionLists,
    deliveryLists,
    warningLists,
    insightLists,
    dashboardLists,
    subscriptionLists,
  ]
  const lists: ManyList[] = []
  for (const lister of makers) lists.push(...(await lister(stores, count)))
  return lists
}

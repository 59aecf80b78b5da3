/** What every store of subscriptions must do. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Subscription, SubscriptionFilter, SubscriptionOrder } from '../../../model/subscriptions/subscription.ts'
import type { OpenedSql, OpenSql } from '../open-sql.ts'
import {
  insertDashboard,
  insertInsight,
  insertProject,
  insertRemovedProject,
  insertSubscription,
  insertUser,
  NOW,
  newSubscription,
} from '../sql-builders.ts'

const ALL = { limit: 100, offset: 0 }

export function subscriptionContract(engine: string, open: OpenSql): void {
  describe(`subscriptions on ${engine}`, () => {
    let opened: OpenedSql
    let ann: number
    beforeAll(async () => {
      opened = await open()
      ann = (await insertUser(opened.stores)).id
    })
    afterAll(() => opened.end())

    const project = async () => (await insertProject(opened.stores)).id
    const listed = async (
      projectId: number,
      filter: Partial<SubscriptionFilter> = {},
      order: SubscriptionOrder[] = [],
    ) => {
      const { items } = await opened.stores.subscriptions.list({ projectId, deleted: false, ...filter }, order, ALL)
      return items.map((item) => item.id)
    }

    it('are read as they were created', async () => {
      const projectId = await project()
      const insight = await insertInsight(opened.stores, { projectId })
      const dashboard = await insertDashboard(opened.stores, { projectId })
      const made = await insertSubscription(opened.stores, {
        projectId,
        createdById: ann,
        insightId: insight.id,
        dashboardId: dashboard.id,
        targetType: 'webhook',
        targetValue: 'https://hooks.example.com/x',
        frequency: 'monthly',
        interval: 2,
        byweekday: ['friday', 'friday', 'monday'],
        bysetpos: -1,
        count: 7,
        startDate: NOW + 0.123,
        untilDate: NOW + 1_000,
        timezone: 'Europe/Berlin',
        title: '',
        inviteMessage: 'Hello\nthere',
        nextDeliveryDate: NOW + 5,
        signingSecret: 'whsec_x',
        deleted: true,
      })
      expect(await opened.stores.subscriptions.find(projectId, made.id)).toEqual(made)
      expect(await opened.stores.subscriptions.find(projectId + 1, made.id)).toBeNull()
      expect(made).toMatchObject({ byweekday: ['friday', 'friday', 'monday'], startDate: NOW + 0.123, title: '' })
    })

    it('keep the fields that a change does not name', async () => {
      const projectId = await project()
      const made = await insertSubscription(opened.stores, {
        projectId,
        createdById: ann,
        byweekday: [],
        title: 'Before',
      })
      const patch = { title: null, nextDeliveryDate: NOW }
      const changed = await opened.stores.transaction((tx) => tx.subscriptions.update(projectId, made.id, patch))
      expect(changed).toEqual({ ...made, ...patch })
      expect(await opened.stores.subscriptions.find(projectId, made.id)).toEqual(changed)
      expect(await opened.stores.transaction((tx) => tx.subscriptions.update(projectId + 1, made.id, patch))).toBeNull()
    })

    it('do not exist when the transaction that created them failed', async () => {
      const projectId = await project()
      const failing = opened.stores.transaction(async (tx) => {
        await tx.subscriptions.create(newSubscription({ projectId, createdById: ann }))
        throw new Error('stop')
      })
      await expect(failing).rejects.toThrow('stop')
      expect(await listed(projectId)).toEqual([])
    })

    it('are listed newest first, page by page', async () => {
      const projectId = await project()
      const made: Subscription[] = []
      for (const createdAt of [NOW, NOW + 1, NOW + 1, NOW - 1]) {
        made.push(await insertSubscription(opened.stores, { projectId, createdById: ann, createdAt }))
      }
      const order = [2, 1, 0, 3].map((index) => made[index]?.id)
      expect(await listed(projectId)).toEqual(order)
      const { subscriptions } = opened.stores
      const page = await subscriptions.list({ projectId, deleted: false }, [], { limit: 2, offset: 1 })
      expect(page.count).toBe(4)
      expect(page.items.map((item) => item.id)).toEqual(order.slice(1, 3))
    })

    it('are ordered as requested, nulls last either way, ties newest first', async () => {
      const projectId = await project()
      const bob = await insertUser(opened.stores, 'BOB@example.com')
      const make = (input: Partial<Subscription>) =>
        insertSubscription(opened.stores, { projectId, createdById: ann, ...input })
      const a = await make({ title: 'apple', nextDeliveryDate: 3 })
      const b = await make({ title: 'Banana', nextDeliveryDate: null, createdById: bob.id })
      const c = await make({ title: null, nextDeliveryDate: 1 })
      const d = await make({ title: 'APPLE', nextDeliveryDate: 3 })
      const by = (name: SubscriptionOrder['by'], descending = false) => [{ by: name, descending }]
      expect(await listed(projectId, {}, by('title'))).toEqual([d.id, a.id, b.id, c.id])
      expect(await listed(projectId, {}, by('title', true))).toEqual([b.id, d.id, a.id, c.id])
      expect(await listed(projectId, {}, by('next_delivery_date'))).toEqual([c.id, d.id, a.id, b.id])
      expect(await listed(projectId, {}, by('next_delivery_date', true))).toEqual([d.id, a.id, c.id, b.id])
      expect(await listed(projectId, {}, by('created_by__email', true))).toEqual([b.id, d.id, c.id, a.id])
      expect(await listed(projectId, {}, by('created_at'))).toEqual([d.id, c.id, b.id, a.id])
      expect(await listed(projectId, {}, [...by('next_delivery_date', true), ...by('title')])).toEqual([
        d.id,
        a.id,
        c.id,
        b.id,
      ])
    })

    it('are filtered', async () => {
      const projectId = await project()
      const bob = await insertUser(opened.stores, 'bob@example.org')
      const insight = await insertInsight(opened.stores, { projectId, name: 'Weekly crop', derivedName: 'Harvest' })
      const dashboard = await insertDashboard(opened.stores, { projectId, name: 'Garden' })
      const make = (input: Partial<Subscription>) =>
        insertSubscription(opened.stores, { projectId, createdById: ann, ...input })
      const neither = await make({ title: 'Ökonomie of gardens' })
      const ofInsight = await make({ insightId: insight.id, targetType: 'slack' })
      const ofDashboard = await make({ dashboardId: dashboard.id, createdById: bob.id })
      const ofBoth = await make({ insightId: insight.id, dashboardId: dashboard.id, title: 'Both' })
      const gone = await make({ deleted: true, insightId: insight.id })
      const find = async (filter: Partial<SubscriptionFilter>) => (await listed(projectId, filter)).reverse()
      expect(await find({ deleted: true })).toEqual([gone.id])
      expect(await find({ insightId: insight.id })).toEqual([ofInsight.id, ofBoth.id])
      expect(await find({ dashboardId: dashboard.id })).toEqual([ofDashboard.id, ofBoth.id])
      expect(await find({ createdByUuid: bob.uuid })).toEqual([ofDashboard.id])
      expect(await find({ targetType: 'slack' })).toEqual([ofInsight.id])
      expect(await find({ resourceType: 'insight' })).toEqual([ofInsight.id])
      expect(await find({ resourceType: 'none' })).toEqual([])
      expect(await find({ resourceType: 'dashboard' })).toEqual([neither.id, ofDashboard.id, ofBoth.id])
      expect(await find({ search: ['GARDEN'] })).toEqual([neither.id, ofDashboard.id, ofBoth.id])
      expect(await find({ search: ['harvest'] })).toEqual([ofInsight.id, ofBoth.id])
      expect(await find({ search: ['harvest', 'both', 'crop'] })).toEqual([ofBoth.id])
      expect(await find({ search: ['öko'] })).toEqual([neither.id])
      expect(await find({ search: ['_'] })).toEqual([])
    })

    it('are removed with their project, and their ids are not reused', async () => {
      const projectId = await project()
      const insight = await insertInsight(opened.stores, { projectId })
      const made = await insertSubscription(opened.stores, { projectId, createdById: ann, insightId: insight.id })
      expect(await insertRemovedProject(opened.stores, projectId)).toBe(true)
      expect(await opened.stores.subscriptions.find(projectId, made.id)).toBeNull()
      const next = await insertSubscription(opened.stores, { projectId: await project(), createdById: ann })
      expect(next.id).toBeGreaterThan(made.id)
    })
  })
}

/** What deliveries, their recipients and the dates of subscriptions must do on every SQL store. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { uuidV7 } from '../../../lib/ids.ts'
import type { SqlStores } from '../../../model/stores.ts'
import type { Delivery, DeliveryRecipient, NewDelivery, RecipientPatch } from '../../../model/subscriptions/delivery.ts'
import type { NewSubscription, Subscription } from '../../../model/subscriptions/subscription.ts'
import type { OpenedSql, OpenSql } from '../open-sql.ts'
import { insertProject, insertRemovedProject, insertSubscription, insertUser, NOW } from '../sql-builders.ts'

export function deliveryContract(name: string, open: OpenSql): void {
  describe(`deliveries on ${name}`, () => {
    let opened: OpenedSql
    let stores: SqlStores
    let projectId: number
    let createdById: number
    beforeEach(async () => {
      opened = await open()
      stores = opened.stores
      projectId = (await insertProject(stores)).id
      createdById = (await insertUser(stores)).id
    })
    afterEach(() => opened.end())

    const subscription = (input: Partial<NewSubscription> = {}): Promise<Subscription> =>
      insertSubscription(stores, { projectId, createdById, ...input })

    function newDelivery(of: Subscription, input: Partial<Delivery> = {}, to: string[] = []): NewDelivery {
      const id = uuidV7(NOW)
      const delivery: Delivery = {
        id,
        projectId: of.projectId,
        subscriptionId: of.id,
        idempotencyKey: id,
        trigger: 'scheduled',
        occasion: 'scheduled',
        scheduledAt: NOW,
        isLate: false,
        targetType: of.targetType,
        targetValue: of.targetValue,
        status: 'starting',
        error: null,
        insightIds: [],
        content: {},
        createdAt: NOW,
        updatedAt: NOW,
        finishedAt: null,
        ...input,
      }
      const recipients = to.map(
        (recipient): DeliveryRecipient => ({
          id: uuidV7(NOW),
          deliveryId: id,
          projectId: of.projectId,
          recipient,
          status: 'pending',
          attempts: 0,
          resends: 0,
          messageId: `<${recipient}>`,
          possibleRepeat: false,
          error: null,
          createdAt: NOW,
          updatedAt: NOW,
          sentAt: null,
        }),
      )
      return { delivery, recipients }
    }
    const add = (...made: NewDelivery[]) => stores.transaction((tx) => tx.deliveries.add(made))

    it('stores a delivery and its recipients as they were given', async () => {
      const made = newDelivery(
        await subscription(),
        {
          isLate: true,
          error: { message: 'no', type: 'x' },
          insightIds: [3, 1],
          content: { tiles: [{ name: 'Ä' }] },
          finishedAt: NOW + 0.5,
        },
        ['ann@example.com', 'bob@example.com'],
      )
      expect(await add(made)).toEqual([made.delivery.id])
      expect(await stores.deliveries.find(projectId, made.delivery.id)).toEqual(made.delivery)
      expect(await stores.deliveries.recipients([made.delivery.id])).toEqual(made.recipients)
      const [first] = made.recipients
      expect(await stores.deliveries.findRecipient(first?.id ?? '')).toEqual(first)
    })

    it('finds nothing of another project, and nothing for an unknown id', async () => {
      const made = newDelivery(await subscription(), {}, ['a@example.com'])
      await add(made)
      const other = await insertProject(stores)
      expect(await stores.deliveries.find(other.id, made.delivery.id)).toBeNull()
      expect(await stores.deliveries.find(projectId, 'nothing')).toBeNull()
      expect(await stores.deliveries.findRecipient('nothing')).toBeNull()
      expect(await stores.deliveries.recipients([])).toEqual([])
    })

    it('adds a key once, and no recipients of a duplicate', async () => {
      const one = await subscription()
      const first = newDelivery(one, { idempotencyKey: 'k' }, ['a@example.com'])
      const second = newDelivery(one, { idempotencyKey: 'k' }, ['b@example.com'])
      const third = newDelivery(one, {}, ['c@example.com'])
      expect(await add(first)).toEqual([first.delivery.id])
      expect(await add(second, third)).toEqual([third.delivery.id])
      const ids = [first, second, third].map(({ delivery }) => delivery.id)
      const kept = await stores.deliveries.recipients(ids)
      expect(kept.map(({ recipient }) => recipient)).toEqual(['a@example.com', 'c@example.com'])
    })

    it('refuses the same recipient twice in one delivery', async () => {
      await expect(add(newDelivery(await subscription(), {}, ['a@example.com', 'a@example.com']))).rejects.toThrow()
    })

    it('accepts thousands at once', async () => {
      const one = await subscription()
      const many = Array.from({ length: 2_500 }, (_, i) => newDelivery(one, {}, [`a${i}@example.com`]))
      expect(await add(...many)).toHaveLength(2_500)
      const { count } = await stores.deliveries.list({ projectId, subscriptionId: one.id }, { limit: 1, offset: 0 })
      expect(count).toBe(2_500)
    })

    it('lists one subscription, newest first, by status', async () => {
      const one = await subscription()
      const made = [NOW, NOW + 2, NOW + 1].map((createdAt, i) =>
        newDelivery(one, { createdAt, status: i === 1 ? 'failed' : 'completed' }),
      )
      await add(...made, newDelivery(await subscription()))
      const list = async (input: { status?: 'failed' } = {}, page = { limit: 10, offset: 0 }) => {
        const { count, items } = await stores.deliveries.list({ projectId, subscriptionId: one.id, ...input }, page)
        return [count, items.map(({ id }) => made.findIndex(({ delivery }) => delivery.id === id))]
      }
      expect(await list()).toEqual([3, [1, 2, 0]])
      expect(await list({}, { limit: 1, offset: 1 })).toEqual([3, [2]])
      expect(await list({ status: 'failed' })).toEqual([1, [1]])
    })

    it('changes the named fields and keeps the others', async () => {
      const made = newDelivery(await subscription(), {}, ['a@example.com', 'b@example.com'])
      await add(made)
      const { id } = made.delivery
      const [first, second] = made.recipients
      const error = { message: 'gone', type: 'refused' }
      await stores.transaction(async (tx) => {
        await tx.deliveries.update(id, { status: 'failed', error, insightIds: [4], finishedAt: NOW + 5 }, NOW + 5)
        await tx.deliveries.updateRecipient(first?.id ?? '', { status: 'sending', attempts: 1 }, NOW + 6)
        await tx.deliveries.updateRecipient(second?.id ?? '', { error, possibleRepeat: true, resends: 2 }, NOW + 7)
        expect(await tx.deliveries.countOpen(id)).toBe(2)
        await tx.deliveries.updateRecipient(first?.id ?? '', { status: 'sent', sentAt: NOW + 8 }, NOW + 8)
        expect(await tx.deliveries.countOpen(id)).toBe(1)
      })
      const changed = { status: 'failed', error, insightIds: [4], finishedAt: NOW + 5, updatedAt: NOW + 5 }
      expect(await stores.deliveries.find(projectId, id)).toEqual({ ...made.delivery, ...changed })
      expect(await stores.deliveries.recipients([id])).toEqual([
        { ...first, status: 'sent', attempts: 1, sentAt: NOW + 8, updatedAt: NOW + 8 },
        { ...second, error, possibleRepeat: true, resends: 2, updatedAt: NOW + 7 },
      ])
    })

    it('knows whether one is in progress', async () => {
      const one = await subscription()
      const made = newDelivery(one)
      expect(await stores.deliveries.isUnderWay(one.id)).toBe(false)
      await add(made, newDelivery(await subscription(), { status: 'completed' }))
      expect(await stores.deliveries.isUnderWay(one.id)).toBe(true)
      await stores.transaction((tx) => tx.deliveries.update(made.delivery.id, { status: 'completed' }, NOW))
      expect(await stores.deliveries.isUnderWay(one.id)).toBe(false)
    })

    it('skips one that waits, as long as nothing of it is being sent', async () => {
      const one = await subscription()
      const waiting = { type: 'waiting', message: 'Waits.' }
      const made = newDelivery(one, { occasion: 'invitation', error: waiting }, ['a@x.com', 'b@x.com'])
      const [first, ...others] = made.recipients
      for (const recipient of others) recipient.error = waiting
      await add(made)
      expect(await stores.deliveries.isUnderWay(one.id)).toBe(true)
      const set = (patch: RecipientPatch) =>
        stores.transaction((tx) => tx.deliveries.updateRecipient(first?.id ?? '', patch, NOW))
      await set({ error: waiting })
      expect(await stores.deliveries.isUnderWay(one.id)).toBe(false)
      await set({ status: 'sending' })
      expect(await stores.deliveries.isUnderWay(one.id)).toBe(true)
      await set({ status: 'sent', error: null })
      expect(await stores.deliveries.isUnderWay(one.id)).toBe(false)
      await add(newDelivery(one))
      expect(await stores.deliveries.isUnderWay(one.id)).toBe(true)
    })

    it('is removed with its project', async () => {
      const one = await subscription()
      const made = newDelivery(one, {}, ['a@example.com'])
      await add(made)
      await stores.transaction((tx) => tx.subscriptions.addDeparture(one, 'a@example.com', NOW))
      await insertRemovedProject(stores, projectId)
      expect(await stores.deliveries.recipients([made.delivery.id])).toEqual([])
      expect(await stores.subscriptions.departedAt(one.id, 'a@example.com')).toBeNull()
    })
  })

  describe(`dates of subscriptions on ${name}`, () => {
    let opened: OpenedSql
    let stores: SqlStores
    let made: (input?: Partial<NewSubscription>) => Promise<Subscription>
    beforeEach(async () => {
      opened = await open()
      stores = opened.stores
      const projectId = (await insertProject(stores)).id
      const createdById = (await insertUser(stores)).id
      made = (input = {}) => insertSubscription(stores, { projectId, createdById, ...input })
    })
    afterEach(() => opened.end())

    it('returns what is due, the earliest first, up to the limit', async () => {
      const later = await made({ nextDeliveryDate: NOW })
      const first = await made({ nextDeliveryDate: NOW - 5 })
      const same = await made({ nextDeliveryDate: NOW })
      await made({ nextDeliveryDate: NOW + 1 })
      await made({ nextDeliveryDate: null })
      await made({ nextDeliveryDate: NOW, deleted: true })
      await made({ nextDeliveryDate: NOW, disabledAt: NOW, disabledReason: 'gone' })
      expect((await stores.subscriptions.due(NOW, 10)).map(({ id }) => id)).toEqual([first.id, later.id, same.id])
      expect(await stores.subscriptions.due(NOW, 1)).toEqual([first])
    })

    it('moves a date on only once', async () => {
      const one = await made({ nextDeliveryDate: NOW })
      const move = (from: number, to: number | null) =>
        stores.transaction((tx) => tx.subscriptions.advance(one.id, from, to))
      expect(await move(NOW, NOW + 7)).toBe(true)
      expect(await move(NOW, NOW + 7)).toBe(false)
      expect((await stores.subscriptions.find(one.projectId, one.id))?.nextDeliveryDate).toBe(NOW + 7)
      expect(await move(NOW + 7, null)).toBe(true)
      expect((await stores.subscriptions.find(one.projectId, one.id))?.nextDeliveryDate).toBeNull()
    })

    it('does not move the date of one that is deleted or disabled', async () => {
      for (const input of [{ deleted: true }, { disabledAt: NOW }]) {
        const one = await made({ nextDeliveryDate: NOW, ...input })
        expect(await stores.transaction((tx) => tx.subscriptions.advance(one.id, NOW, NOW + 7))).toBe(false)
      }
    })

    it('counts mails by project and hour, and forgets the hours before', async () => {
      const { id: projectId } = await insertProject(stores)
      const other = await insertProject(stores)
      const plan = (id: number, hour: number, mails: number) =>
        stores.transaction((tx) => tx.deliveries.planMails(id, hour, mails))
      const planned = (id: number, from: number) =>
        stores.transaction(async (tx) => [...(await tx.deliveries.plannedMails(id, from))].sort(([a], [b]) => a - b))
      expect(await planned(projectId, 0)).toEqual([])
      await plan(projectId, NOW, 150)
      await plan(projectId, NOW, 50)
      await plan(projectId, NOW + 3_600_000, 7)
      await plan(other.id, NOW, 1)
      expect(await planned(projectId, NOW)).toEqual([
        [NOW, 200],
        [NOW + 3_600_000, 7],
      ])
      expect(await planned(projectId, NOW + 1)).toEqual([[NOW + 3_600_000, 7]])
      expect(await planned(projectId, NOW)).toEqual([[NOW + 3_600_000, 7]])
      expect(await planned(other.id, NOW)).toEqual([[NOW, 1]])
    })

    it('remembers when an address unsubscribed, the last time only, whatever its case', async () => {
      const one = await made()
      const other = await made()
      const leave = (at: number) =>
        stores.transaction((tx) => tx.subscriptions.addDeparture(one, 'Ann@Example.com', at))
      expect(await stores.subscriptions.departedAt(one.id, 'ann@example.com')).toBeNull()
      await leave(NOW)
      await leave(NOW + 5)
      expect(await stores.subscriptions.departedAt(one.id, 'ANN@example.com')).toBe(NOW + 5)
      expect(await stores.subscriptions.departedAt(other.id, 'ann@example.com')).toBeNull()
    })
  })
}

/** Merges of people with very many ids: what one transaction does, what runs in between, and what is refused. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { SqlWriters } from '../../../src/model/stores.ts'
import { countEvents } from '../../../src/stores/contract/count-events.ts'
import { makeApp, PROJECT_TOKEN, type TestApp } from '../../support/app.ts'

const MOST_AT_ONCE = 2_000
const MOST_IN_TRANSACTION = 2_000

let app: TestApp
beforeEach(async () => {
  app = await makeApp()
})
afterEach(() => app.end())

async function batch(events: object[]): Promise<void> {
  const payload = JSON.stringify({ api_key: PROJECT_TOKEN, batch: events })
  const headers = { 'content-type': 'application/json' }
  const response = await app.server.inject({ method: 'POST', url: '/batch/', headers, payload })
  expect([response.statusCode, response.body]).toEqual([200, '{"status":"Ok"}'])
}

const seen = (id: string) => ({ event: 'seen', distinct_id: id })
const merge = (target: string, other: string) => ({
  event: '$merge_dangerously',
  distinct_id: target,
  properties: { alias: other },
})
const find = (id: string) => app.stores.persons.findByDistinctId(1, id)

/** A person with this many ids, its own included. */
async function makeMany(id: string, ids: number): Promise<void> {
  await batch([seen(id)])
  const person = await find(id)
  await app.stores.transaction(async (tx) => {
    const own = Array.from({ length: ids - 1 }, (_, i) => ({ distinctId: `${id}-${i + 1}`, personId: person?.id ?? 0 }))
    await tx.intake.addDistinctIds(1, own)
  })
}

/** How many ids each transaction from here on lists in order to move them. */
function watchMoves(): number[] {
  const moved: number[] = []
  const { peopleTransaction } = app.stores
  const counted = (tx: SqlWriters, count: (ids: number) => void): SqlWriters => {
    const distinctIdsOf: SqlWriters['intake']['distinctIdsOf'] = async (...given) => {
      const ids = await tx.intake.distinctIdsOf(...given)
      count(ids.length)
      return ids
    }
    return Object.create(tx, { intake: { value: { ...tx.intake, distinctIdsOf } } })
  }
  app.stores.peopleTransaction = async (projectIds, work) => {
    let ids = 0
    const add = (more: number) => {
      ids += more
    }
    const done = await peopleTransaction(projectIds, (tx) => {
      ids = 0
      return work(counted(tx, add))
    })
    if (ids > 0) moved.push(ids)
    return done
  }
  return moved
}

it('a chain of them takes many transactions, and later requests run in between', async () => {
  await makeMany('p', 1_500)
  const targets = Array.from({ length: 40 }, (_, i) => `t${i}`)
  await batch(targets.map(seen))
  const before = await countEvents(app.stores.events, 1)
  const moved = watchMoves()
  const done: string[] = []
  const send = (name: string, events: object[]) => batch(events).then(() => void done.push(name))
  const chain = targets.map((target, i) => merge(target, i === 0 ? 'p' : `t${i - 1}`))
  const uuid = '0190f5a0-0000-7000-8000-000000000001'
  // The repeated event is in both: it counts once, whichever transaction comes first.
  const first = send('chain', [...chain, { ...seen('t39'), uuid }])
  await Promise.all([first, send('other', [seen('ann'), merge('ann', 'bob'), { ...seen('t39'), uuid }])])
  expect(done).toEqual(['other', 'chain'])
  expect(Math.max(...moved)).toBeLessThan(MOST_IN_TRANSACTION + 1_600)
  expect(moved.length).toBeGreaterThan(15)
  const last = await find('t39')
  expect(new Set(last?.distinctIds)).toEqual(
    new Set(['p', ...Array.from({ length: 1_499 }, (_, i) => `p-${i + 1}`), ...targets]),
  )
  expect((await find('bob'))?.uuid).toBe((await find('ann'))?.uuid)
  expect(await countEvents(app.stores.events, 1)).toBe(before + 40 + 3)
  for (const id of ['p', 'p-7', 't0']) expect((await app.stores.events.personOf(1, id))?.personId).toBe(last?.id)
})

it('one of too many ids is refused with a warning, and the event still counts', async () => {
  await makeMany('fits', MOST_AT_ONCE)
  await makeMany('large', MOST_AT_ONCE + 1)
  await batch([seen('ann'), seen('bob')])
  const moved = watchMoves()
  await batch([merge('ann', 'fits'), merge('bob', 'large'), merge('bob', 'large-5'), merge('large', 'bob')])
  expect(Math.max(...moved)).toBeLessThanOrEqual(MOST_AT_ONCE + 1)
  expect((await find('ann'))?.distinctIds).toHaveLength(MOST_AT_ONCE + 1)
  // The other way round there is one to move.
  expect((await find('large'))?.distinctIds).toHaveLength(MOST_AT_ONCE + 2)
  const type = 'cannot_merge_too_many_distinct_ids'
  const { count, items } = await app.stores.intake.warnings(1, type, { limit: 5, offset: 0 })
  expect(count).toBe(2)
  expect(items.map(({ details }) => details)).toContainEqual({
    sourcePersonDistinctId: 'large-5',
    targetPersonDistinctId: 'bob',
    eventUuid: expect.any(String),
  })
  expect(await countEvents(app.stores.events, 1)).toBe(4 + 4)
})

it('the log of activity keeps the first hundred of the ids, and their number', async () => {
  await makeMany('p', 250)
  await batch([seen('ann'), merge('ann', 'p')])
  const { items } = await app.stores.activity.page({ projectId: 1, scope: 'Person' }, { limit: 1, offset: 0 })
  expect(items[0]?.detail.changes?.[0]?.after).toEqual({
    distinct_ids: ['p', ...Array.from({ length: 99 }, (_, i) => `p-${i + 1}`)],
    distinct_ids_count: 250,
  })
})

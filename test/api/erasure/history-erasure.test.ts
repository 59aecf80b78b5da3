/** What a deletion of events leaves of the property history: of a person that stays what made it what it is, else nothing. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createDeletions } from '../../../src/features/deletions/deletions.ts'
import type { PropertyChange } from '../../../src/model/persons/person.ts'
import type { SqlStores } from '../../../src/model/stores.ts'
import { nextDeletionRun } from '../../../src/rules/erasure/deletion-schedule.ts'
import { forgetHistory, type Past } from '../../../src/rules/erasure/history-removal.ts'
import { makeChange, wholeHistory } from '../../../src/stores/contract/history-builders.ts'
import { makeApp, type TestApp } from '../../support/app.ts'
import { makePerson } from '../../support/make.ts'

const API = '/api/environments/1/persons'
const UUID = '00000000-0000-0000-0000-000000000009'

let app: TestApp
beforeEach(async () => {
  app = await makeApp()
})
afterEach(() => app.end())

const change = (personId: number, key: string, seq: number, given: Partial<PropertyChange> = {}): PropertyChange =>
  makeChange(personId, seq, { set: { [key]: seq }, eventUuid: UUID, ...given })
const add = (changes: PropertyChange[]) => app.stores.transaction((tx) => tx.persons.addHistory(1, changes))
const historyOf = (personId: number) => wholeHistory(app.stores.persons, 1, personId)

it('of a person that stays the last change of each key is left, and the last that was no $set_once', async () => {
  const { id } = await makePerson(app)
  await add([
    change(id, 'plan', 1),
    makeChange(id, 2, { set: { plan: 2 }, once: { source: 2 }, eventUuid: UUID }),
    makeChange(id, 3, { set: { city: 3, gone: 3 }, eventUuid: UUID }),
    makeChange(id, 4, { once: { city: 4 }, removed: ['gone'], eventUuid: UUID }),
    change(id, 'plan', 6),
  ])
  await forgetHistory(app.stores, id, { upToSeq: 5 })
  expect(await historyOf(id)).toMatchObject([
    { seq: 2, set: { plan: 2 }, once: { source: 2 }, eventUuid: null },
    { seq: 3, set: { city: 3 }, eventUuid: null },
    { seq: 4, once: { city: 4 }, removed: ['gone'], eventUuid: null },
    { seq: 6, set: { plan: 6 }, eventUuid: UUID },
  ])
  expect((await historyOf(id))[1]?.set).toEqual({ city: 3 })
})

type Entry = [key: string, value: unknown, isOnce: boolean]

const entriesOf = ({ set, once, removed }: PropertyChange): Entry[] => [
  ...Object.entries(set).map(([key, value]): Entry => [key, value, false]),
  ...Object.entries(once).map(([key, value]): Entry => [key, value, true]),
  ...removed.map((key): Entry => [key, undefined, false]),
]

/** What should be left, computed plainly: latest first, each key once, and once more without `$set_once`. */
function expected(changes: PropertyChange[], isPast: (change: PropertyChange) => boolean): string[] {
  const latestFirst = changes
    .map((one, index) => ({ ...one, index }))
    .sort((a, b) => b.at - a.at || b.seq - a.seq || b.index - a.index)
  const [any, set] = [new Set<string>(), new Set<string>()]
  const kept = latestFirst.flatMap((one) =>
    entriesOf(one)
      .filter(([key, , isOnce]) => {
        if (!isPast(one)) return true
        const isLast = !any.has(key) || (!isOnce && !set.has(key))
        any.add(key)
        if (!isOnce) set.add(key)
        return isLast
      })
      .map((entry) => JSON.stringify([one.at, one.seq, ...entry])),
  )
  return kept.sort()
}

const entriesIn = (changes: PropertyChange[]): string[] =>
  changes.flatMap((one) => entriesOf(one).map((entry) => JSON.stringify([one.at, one.seq, ...entry]))).sort()

/** Thousands of changes of few keys, in any order of time. */
function randomChanges(personId: number, count: number): PropertyChange[] {
  let random = 7
  const draw = (below: number) => {
    random = (random * 48_271) % 2_147_483_647
    return random % below
  }
  return Array.from({ length: count }, (_, value) => {
    const one = makeChange(personId, draw(3_000), { seq: draw(1_000), eventUuid: draw(2) ? UUID : null })
    for (const key of new Set([draw(400), draw(400), draw(400)].map((n) => `key-${n}`))) {
      const kind = draw(6)
      if (kind === 0) one.removed.push(key)
      else if (kind < 3) one.once[key] = value
      else one.set[key] = value
    }
    return one
  })
}

it.each<[string, Past, (change: PropertyChange) => boolean]>([
  ['of events up to a number', { upToSeq: 900 }, ({ seq }) => seq <= 900],
  ['before an instant', { before: 2_000 }, ({ at }) => at < 2_000],
])('a long past %s is removed in portions, whatever the order of its changes, and once is enough', async (...given) => {
  const [, past, isPast] = given
  const { id } = await makePerson(app)
  const { id: other } = await makePerson(app)
  const changes = randomChanges(id, 23_000)
  await add([...changes, change(other, 'x', 1), change(other, 'x', 2)])
  let portions = 0
  const counted: Pick<SqlStores, 'relaxed'> = {
    relaxed: (work) => {
      portions++
      return app.stores.relaxed(work)
    },
  }
  await forgetHistory(counted, id, past)
  expect(portions).toBeGreaterThan(3)
  const left = await historyOf(id)
  expect(entriesIn(left)).toEqual(expected(changes, isPast))
  expect(left.filter((one) => isPast(one) && one.eventUuid !== null)).toEqual([])
  expect(left.filter((one) => !isPast(one) && one.eventUuid !== null).length).toBeGreaterThan(100)
  await forgetHistory(app.stores, id, past)
  expect(await historyOf(id)).toEqual(left)
  expect(await historyOf(other)).toHaveLength(2)
})

it('cut off anywhere, it has removed nothing that is needed', async () => {
  const { id } = await makePerson(app)
  const changes = randomChanges(id, 12_000)
  await add(changes)
  let portions = 1
  const cutOff: SqlStores['relaxed'] = async (work) => {
    if (portions-- === 0) throw new Error('cut off')
    return app.stores.relaxed(work)
  }
  await expect(forgetHistory({ relaxed: cutOff }, id, { before: 2_500 })).rejects.toThrow('cut off')
  const isPast = ({ at }: PropertyChange) => at < 2_500
  const left = entriesIn(await historyOf(id))
  expect(left.length).toBeLessThan(entriesIn(changes).length)
  expect(new Set(left)).toEqual(new Set([...left, ...expected(changes, isPast)]))
  await forgetHistory(app.stores, id, { before: 2_500 })
  expect(entriesIn(await historyOf(id))).toEqual(expected(changes, isPast))
})

it('the batch of Sunday removes it in separate transactions, before a request counts as done', async () => {
  const { id, uuid } = await makePerson(app)
  await add(Array.from({ length: 12_000 }, (_, value) => change(id, 'plan', 0, { set: { plan: value }, at: value })))
  await app.call('POST', `${API}/${id}/delete_events/`)
  app.clock.set(nextDeletionRun(app.clock.now()))
  const status = async () =>
    (await app.call('GET', `${API}/deletion_status/`, { query: { person_uuid: uuid } })).json().results[0].status
  let portions = 2
  const cutOff: SqlStores['relaxed'] = async (work) => {
    if (portions === 0) throw new Error('cut off')
    portions -= 1
    return app.stores.relaxed(work)
  }
  const nothing = () => undefined
  const run = (relaxed: SqlStores['relaxed']) => {
    const stores = { ...app.stores, relaxed }
    const deletions = createDeletions({
      stores,
      clock: app.clock,
      done: nothing,
      late: nothing,
      compacted: nothing,
      logHeld: nothing,
    })
    return deletions.run({ dueAt: app.clock.now() })
  }
  await expect(run(cutOff)).rejects.toThrow('cut off')
  expect([(await historyOf(id)).length, await status()]).toEqual([2_001, 'pending'])
  await run(app.stores.relaxed)
  expect([(await historyOf(id)).map(({ set }) => set), await status()]).toEqual([[{ plan: 11_999 }], 'completed'])
})

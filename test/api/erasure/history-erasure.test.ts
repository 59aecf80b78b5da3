/** What a deletion of events leaves of the property history: of a person that stays what made it what it is, else nothing. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createDeletions } from '../../../src/features/deletions/deletions.ts'
import type { PropertyChange } from '../../../src/model/persons/person.ts'
import type { SqlStores } from '../../../src/model/stores.ts'
import { nextDeletionRun } from '../../../src/rules/erasure/deletion-schedule.ts'
import { forgetHistory } from '../../../src/rules/erasure/history-removal.ts'
import { makeApp, type TestApp } from '../../support/app.ts'
import { makePerson } from '../../support/make.ts'

const API = '/api/environments/1/persons'
const UUID = '00000000-0000-0000-0000-000000000009'

let app: TestApp
beforeEach(async () => {
  app = await makeApp()
})
afterEach(() => app.end())

const change = (personId: number, key: string, seq: number, given: Partial<PropertyChange> = {}): PropertyChange => {
  const base = { personId, key, value: seq, removed: false, once: false, at: seq, seq }
  return { ...base, eventUuid: UUID, ...given }
}
const add = (changes: PropertyChange[]) => app.stores.transaction((tx) => tx.persons.addHistory(1, changes))
const historyOf = (personId: number) => app.stores.persons.history(1, personId, Number.MAX_SAFE_INTEGER)

it('of a person that stays the last change of each key is left, and the last that was no $set_once', async () => {
  const { id } = await makePerson(app)
  await add([
    change(id, 'plan', 1),
    change(id, 'plan', 2),
    change(id, 'source', 2, { once: true }),
    change(id, 'city', 3),
    change(id, 'city', 4, { once: true }),
    change(id, 'gone', 3),
    change(id, 'gone', 4, { removed: true, value: null }),
    change(id, 'plan', 6),
  ])
  await forgetHistory(app.stores, id, 5)
  const left = await historyOf(id)
  expect(left.map(({ key, seq, eventUuid }) => [key, seq, eventUuid])).toEqual([
    ['plan', 2, null],
    ['source', 2, null],
    ['city', 3, null],
    ['city', 4, null],
    ['gone', 4, null],
    ['plan', 6, UUID],
  ])
})

/** What should be left, computed plainly: latest first, each key once, and once more without `$set_once`. */
function expected(changes: PropertyChange[], upTo: number): number[] {
  const latestFirst = changes
    .map((one, index) => ({ ...one, index }))
    .sort((a, b) => b.at - a.at || b.seq - a.seq || b.index - a.index)
  const [any, set] = [new Set<string>(), new Set<string>()]
  const kept = latestFirst.filter(({ key, once, seq }) => {
    if (seq > upTo) return true
    const isLast = !any.has(key) || (!once && !set.has(key))
    any.add(key)
    if (!once) set.add(key)
    return isLast
  })
  return kept.map(({ value }) => value as number).sort((a, b) => a - b)
}

it('a long history is removed in portions, whatever the order of its changes, and once is enough', async () => {
  const { id } = await makePerson(app)
  const { id: other } = await makePerson(app)
  let random = 7
  const draw = (below: number) => {
    random = (random * 48_271) % 2_147_483_647
    return random % below
  }
  const changes = Array.from({ length: 23_000 }, (_, value) => {
    const given = { value, at: draw(3_000), once: draw(3) === 0, eventUuid: draw(2) ? UUID : null }
    return change(id, `key-${draw(400)}`, draw(1_000), given)
  })
  await add([...changes, change(other, 'x', 1), change(other, 'x', 2)])
  const portions: number[] = []
  const count = async () => (await historyOf(id)).length
  const counted: Pick<SqlStores, 'relaxed'> = {
    relaxed: async (work) => {
      const before = await count()
      const result = await app.stores.relaxed(work)
      portions.push(before - (await count()))
      return result
    },
  }
  await forgetHistory(counted, id, 900)
  expect(portions).toHaveLength(5)
  expect(Math.max(...portions)).toBeLessThan(10_000)
  const left = await historyOf(id)
  expect(left.map(({ value }) => value as number).sort((a, b) => a - b)).toEqual(expected(changes, 900))
  expect(left.filter(({ seq, eventUuid }) => seq <= 900 && eventUuid !== null)).toEqual([])
  expect(left.filter(({ seq, eventUuid }) => seq > 900 && eventUuid !== null).length).toBeGreaterThan(100)
  await forgetHistory(app.stores, id, 900)
  expect(await historyOf(id)).toEqual(left)
  expect(await historyOf(other)).toHaveLength(2)
})

it('the batch of Sunday removes it in separate transactions, before a request counts as done', async () => {
  const { id, uuid } = await makePerson(app)
  await add(Array.from({ length: 12_000 }, (_, value) => change(id, 'plan', 0, { value, at: value })))
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
  expect([(await historyOf(id)).map(({ value }) => value), await status()]).toEqual([[11_999], 'completed'])
})

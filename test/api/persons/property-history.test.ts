/** The property history of random events equals a plain computation, through merges, splits, expiry and migration. */
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Properties } from '../../../src/model/persons/person.ts'
import { makeChange, wholeHistory } from '../../../src/stores/contract/history-builders.ts'
import { makeApp, PROJECT_TOKEN, type TestApp } from '../../support/app.ts'
import { makePerson } from '../../support/make.ts'
import { openTables } from '../../support/stores/tables.ts'

const API = '/api/environments/1/persons'
const DAY = 86_400_000

let app: TestApp
beforeEach(async () => {
  app = await makeApp()
})
afterEach(() => app.end())

const send = (batch: object[]) =>
  app.server.inject({ method: 'POST', url: '/batch/', payload: { api_key: PROJECT_TOKEN, batch } })

/** The properties at an instant, as the API has them. */
const at = async (distinctId: string, instant: number, setOnce: boolean): Promise<Properties> => {
  const query = {
    distinct_id: distinctId,
    timestamp: new Date(instant).toISOString(),
    include_set_once: String(setOnce),
  }
  return (await app.call('GET', `${API}/properties_at_time/`, { query })).json().properties
}

interface Step {
  key: string
  value: number
  kind: 'set' | 'once' | 'unset'
}

const steps = fc.array(
  fc.record<Step>({
    key: fc.constantFrom('a', 'b', 'c', '__proto__', ''),
    value: fc.nat(3),
    kind: fc.constantFrom('set', 'once', 'unset'),
  }),
  { minLength: 1, maxLength: 40 },
)

const eventOf = ({ key, value, kind }: Step, distinctId: string, timestamp: number) => {
  const own = Object.fromEntries([[key, value]])
  const properties = kind === 'unset' ? { $unset: [key] } : { [kind === 'set' ? '$set' : '$set_once']: own }
  return { event: '$set', distinct_id: distinctId, timestamp: new Date(timestamp).toISOString(), properties }
}

/** After each step, with and without what was set once, computed plainly. */
function plain(all: Step[]): { any: Map<string, number>; set: Map<string, number> }[] {
  const [any, set] = [new Map<string, number>(), new Map<string, number>()]
  return all.map(({ key, value, kind }) => {
    if (kind === 'unset') {
      if (any.has(key)) set.delete(key)
      any.delete(key)
    } else if (kind === 'set') {
      // What does not change is not recorded.
      if (any.get(key) !== value) set.set(key, value)
      any.set(key, value)
    } else if (!any.has(key)) any.set(key, value)
    return { any: new Map(any), set: new Map(set) }
  })
}

const sorted = (entries: Iterable<[string, unknown]>) => [...entries].sort(([a], [b]) => (a < b ? -1 : 1))

it('of random events is what they did, at each instant, and still is within the retention once the rest has expired', async () => {
  let person = 0
  await fc.assert(
    fc.asyncProperty(steps, fc.nat(39), fc.nat(7), async (all, cut, grouping) => {
      const distinctId = `random-${++person}`
      const start = app.clock.now() - 60 * DAY
      const events = all.map((step, n) => eventOf(step, distinctId, start + n * DAY))
      for (let from = 0; from < events.length; from += grouping + 1) await send(events.slice(from, from + grouping + 1))
      const wanted = plain(all)
      const check = async (since: number) => {
        for (const [n, { any, set }] of wanted.entries()) {
          if (n < since) continue
          const { $creator_event_uuid: _, ...own } = await at(distinctId, start + n * DAY, true)
          expect(sorted(Object.entries(own))).toEqual(sorted(any))
          const { $creator_event_uuid: __, ...withoutOnce } = await at(distinctId, start + n * DAY, false)
          expect(sorted(Object.entries(withoutOnce))).toEqual(sorted(set))
        }
      }
      await check(0)
      const before = start + cut * DAY
      const days = Math.round((app.clock.now() - before) / DAY)
      await app.call('PATCH', '/api/projects/1/', { body: { events_retention_days: days } })
      await app.features.deletions.removeExpiredEvents(app.clock.now(), new AbortController().signal)
      await check(cut)
      const found = await app.stores.persons.findByDistinctId(1, distinctId)
      const past = (await wholeHistory(app.stores.persons, 1, found?.id ?? 0)).filter((change) => change.at < before)
      const kept = past.flatMap(({ set, once, removed }) => [...Object.keys(set), ...Object.keys(once), ...removed])
      for (const key of new Set(kept)) expect(kept.filter((one) => one === key).length).toBeLessThan(3)
    }),
    { numRuns: 25 },
  )
})

it('joins that of a merged person, and a split leaves it with the person that stays', async () => {
  const hour = (n: number) => new Date(app.clock.now() - (10 - n) * 3_600_000).toISOString()
  const event = (name: string, id: string, n: number, properties: object) => ({
    event: name,
    distinct_id: id,
    timestamp: hour(n),
    properties,
  })
  await send([
    event('seen', 'known', 1, { $set: { plan: 'free', city: 'X' } }),
    event('seen', 'anon', 2, { $set: { plan: 'paid', cart: 3 } }),
    event('$identify', 'known', 3, { $anon_distinct_id: 'anon', $set: { cart: 4 } }),
  ])
  const ask = async (id: string, n: number) => {
    const { $creator_event_uuid: _, ...properties } = await at(id, Date.parse(hour(n)), true)
    return properties
  }
  expect(await ask('anon', 1)).toEqual({ plan: 'free', city: 'X' })
  expect(await ask('anon', 3)).toEqual({ plan: 'free', city: 'X', cart: 4 })
  const { id } = (await app.stores.persons.findByDistinctId(1, 'known')) as { id: number }
  expect(await wholeHistory(app.stores.persons, 1, id)).toHaveLength(4)
  await app.call('POST', `${API}/${id}/split/`, { body: { main_distinct_id: 'known' } })
  expect(await ask('known', 3)).toEqual({ plan: 'free', city: 'X', cart: 4 })
  expect(await ask('anon', 3)).toEqual({})
})

it('in the format of an earlier version answers the same before, amid and after it is rewritten', async () => {
  const people = [await makePerson(app), await makePerson(app)]
  const old = await openTables(app.dataDir)
  const rows = Array.from({ length: 4_000 }, (_, n) => {
    const isRemoved = n % 11 === 0
    const value = isRemoved ? null : JSON.stringify(n % 3 ? n : { '': [n, null, 'ü"'] })
    const key = n % 50 ? `key-${n % 97}` : '__proto__'
    return [people[n % 2]?.id, key, value, +isRemoved, +(n % 7 === 0), n % 40, 0]
  })
  await old.each(
    `insert into property_history (project_id, person_id, key, value, removed, once, at, seq)
      values (1, ?, ?, ?, ?, ?, ?, ?)`,
    rows,
  )
  const isNull = () => old.value('select count(*) from property_history where changes is null')
  const answers = () => Promise.all(people.map(({ id }) => wholeHistory(app.stores.persons, 1, id)))
  const before = await answers()
  expect([before[0]?.length, await isNull()]).toEqual([2_000, 4_000])
  let after: number | null = 0
  const lefts: unknown[] = []
  while (after !== null) {
    const from: number = after
    after = await app.stores.transaction((tx) => tx.persons.reformatChanges(from))
    lefts.push(await isNull())
    // New changes are added meanwhile, and are no business of the rewriting.
    const { id } = people[0] as { id: number }
    await app.stores.transaction((tx) =>
      tx.persons.addHistory(1, [makeChange(id, 1_000 + lefts.length, { set: { x: 1 } })]),
    )
    expect((await answers()).map((changes) => changes.slice(0, 2_000))).toEqual(before)
  }
  expect(lefts.length).toBeGreaterThan(3)
  expect([lefts[0], lefts.at(-1)]).toEqual([3_750, 0])
  const cells = `select count(*) from property_history where key <> '' or value is not null or removed + once > 0`
  expect(await old.value(cells)).toBe(0)
  await old.close()
})

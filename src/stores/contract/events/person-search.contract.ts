/** What an EventStore must find among people: filters, search, pages, values; every operator is in person-filter. */
import { describe, expect, it } from 'vitest'
import type { OutboxBatch } from '../../../model/events/outbox.ts'
import type { PersonFilter, PropertyFilter } from '../../../model/persons/person.ts'
import { NOBODY, type PersonIdsRequest, type PersonOrder } from '../../../model/persons/person-search.ts'
import { type MadeContent, type MadePerson, makeBatch, makePerson, NOON, type Opened } from '../batch-builders.ts'
import { checkFits, checkList, checkValues } from '../people-checks.ts'
import { PeopleWorld, randomOf } from '../people-world.ts'
import { propertyFilterCases, type SuiteLength } from '../property-filter-cases.ts'

const ALL: PersonIdsRequest = { limit: Number.POSITIVE_INFINITY, withCount: false }

interface Given {
  distinctIds?: string[]
  properties?: Record<string, unknown>
  createdAt?: number
  updatedAt?: number
}

/** Stores persons with ids from 1 on. */
async function applyPeople({ store, projectId }: Opened, given: Given[]): Promise<void> {
  const persons = given.map(({ distinctIds: _, ...person }, i) => makePerson(projectId, { ...person, personId: i + 1 }))
  const distinctIds = given.flatMap(({ distinctIds: ids = [] }, i) =>
    ids.map((distinctId) => ({ projectId, distinctId, personId: i + 1 })),
  )
  await store.apply([makeBatch(1, { persons, distinctIds })], NOON)
}

const idsOf = async ({ store, projectId }: Opened, filter: PersonFilter, request: Partial<PersonIdsRequest> = {}) => [
  ...(await store.findPersons(projectId, filter, { ...ALL, ...request })).ids,
]

export function personFilters(opened: () => Opened, length: SuiteLength): void {
  propertyFilterCases(async (rows) => {
    const here = opened()
    const names = Object.keys(rows)
    // The newest is listed first.
    await applyPeople(
      here,
      Object.values(rows).map((properties, i) => ({ properties, createdAt: NOON - i })),
    )
    return async (properties) => (await idsOf(here, { properties })).map((id) => names[id - 1] as string)
  }, length)
}

export function personSearch(opened: () => Opened): void {
  describe('lists of people', () => {
    it('support each filter, all of them together, and count the same', async () => {
      const here = opened()
      await applyPeople(here, [
        { distinctIds: ['one', 'alias'], properties: { email: 'Ärger@x.org', age: 30 } },
        { distinctIds: ['two'], properties: { email: 'two@x.org', name: 'ÄRGER' } },
        { distinctIds: ['three'], properties: { age: '31' } },
      ])
      const cases: [PersonFilter, number[]][] = [
        [{}, [3, 2, 1]],
        [{ search: 'ärger' }, [2, 1]],
        [{ search: 'LIA' }, [1]],
        [{ search: '%' }, []],
        [{ email: 'two@x.org' }, [2]],
        [{ email: 'TWO@x.org' }, []],
        [{ distinctId: 'alias' }, [1]],
        [{ distinctId: 'ali' }, []],
        [{ properties: { key: 'age', operator: 'gte', value: 30 } }, [3, 1]],
        [{ search: 'ärger', properties: { key: 'age', operator: 'is_set', value: null } }, [1]],
        [{ distinctId: 'one', email: 'two@x.org' }, []],
      ]
      for (const [filter, expected] of cases) {
        expect(await idsOf(here, filter), JSON.stringify(filter)).toEqual(expected)
        const { count } = await here.store.findPersons(here.projectId, filter, { limit: 1, withCount: true })
        expect(count).toBe(expected.length)
      }
    })

    it('come in pages, by number or by position, with the count of all', async () => {
      const here = opened()
      const times = [5, 7, 5, 6.5, 5].map((createdAt) => ({ createdAt }))
      await applyPeople(here, times)
      const page = (request: PersonIdsRequest) => here.store.findPersons(here.projectId, {}, request)
      expect(await idsOf(here, {})).toEqual([2, 4, 5, 3, 1])
      const second = await page({ limit: 2, offset: 1, withCount: true })
      expect(second).toEqual({ ids: Float64Array.of(4, 5), times: Float64Array.of(6.5, 5), count: 5 })
      const third = await page({ limit: 2, after: { time: 5, id: 5 }, withCount: true })
      expect(third).toEqual({ ids: Float64Array.of(3, 1), times: Float64Array.of(5, 5), count: 5 })
      const rest = await page({ limit: 9, after: { time: 6.5, id: 4 }, withCount: false })
      expect(rest).toEqual({ ids: Float64Array.of(5, 3, 1), times: Float64Array.of(5, 5, 5), count: null })
      expect(await page({ limit: 2, offset: 5, withCount: true })).toEqual({
        ids: new Float64Array(),
        times: new Float64Array(),
        count: 5,
      })
    })

    it('come in another order, who was never seen as the first that was', async () => {
      const here = opened()
      const [never, ...seen] = [null, 7, 5, 7].map((lastSeenAt, at) => ({ lastSeenAt, createdAt: 9 - at }))
      await applyPeople(here, [never ?? {}, ...seen])
      const latest = { by: 'lastSeenAt', isAscending: false } as const
      expect(await idsOf(here, {}, { order: latest })).toEqual([4, 2, 3, 1])
      expect(await idsOf(here, {}, { order: { ...latest, isAscending: true } })).toEqual([1, 3, 2, 4])
      expect(await idsOf(here, {}, { order: { by: 'createdAt', isAscending: true } })).toEqual([4, 3, 2, 1])
      const request = { limit: 1, withCount: true, order: latest, after: { time: 7, id: 4 } }
      const next = await here.store.findPersons(here.projectId, {}, request)
      expect(next).toEqual({ ids: Float64Array.of(2), times: Float64Array.of(7), count: 4 })
      const [last] = (
        await here.store.findPersons(here.projectId, {}, { ...request, offset: 0, after: { time: 5, id: 3 } })
      ).times
      expect(last).toBe(0)
    })

    it('find by the time of the last change', async () => {
      const here = opened()
      await applyPeople(here, [{ updatedAt: 5_000 }, { updatedAt: 4_000 }])
      expect(await idsOf(here, { updatedAfter: 4_999.5 })).toEqual([1])
      expect(await idsOf(here, { updatedAfter: 5_000 })).toEqual([])
    })
  })

  it('tells which of these people fit each filter', async () => {
    const here = opened()
    await applyPeople(here, [{ properties: { n: 1 } }, { properties: { n: 2 } }, { properties: { n: 3 } }])
    const least = (value: number) => ({ key: 'n', operator: 'gte' as const, value })
    const broken = { key: 'n', operator: 'not_regex' as const, value: '(' }
    const fits = await here.store.personsThatFit(here.projectId, [1, 2, 99], [least(2), least(1), broken])
    expect(fits.map((ids) => ids.sort())).toEqual([[2], [1, 2], []])
    expect(await here.store.personsThatFit(here.projectId, [], [least(1)])).toEqual([[]])
  })

  it.each<[PropertyFilter, boolean]>([
    [{ key: 'n', operator: 'is_not', value: 1 }, true],
    [{ key: 'n', operator: 'not_icontains', value: 'x' }, true],
    [{ key: 'n', operator: 'not_regex', value: '^x' }, true],
    [{ key: 'n', operator: 'not_regex', value: '(' }, false],
    [{ key: 'n', operator: 'is_not_set', value: null }, true],
    [{ key: 'n', operator: 'is_set', value: null }, false],
    [{ key: 'n', operator: 'regex', value: '' }, false],
    [{ key: 'n', operator: 'semver_neq', value: '1' }, false],
    [{ join: 'AND', of: [] }, true],
    [{ join: 'OR', of: [] }, false],
  ])('takes nobody for one without properties: %j fits %j', async (filter, fits) => {
    const here = opened()
    await applyPeople(here, [{ properties: {} }])
    // A person without properties fits in the same cases, one that is not there in none.
    expect(await here.store.personsThatFit(here.projectId, [NOBODY, 1, 99], [filter])).toEqual([
      fits ? [NOBODY, 1] : [],
    ])
    expect(await here.store.personsThatFit(here.projectId, [1], [filter])).toEqual([fits ? [1] : []])
  })

  it('lists the most frequent values of a property as text', async () => {
    const here = opened()
    const values = ['Mac', 'Mac', 'win', '', null, false, 2, { a: 1 }]
    await applyPeople(here, [...values.map((os) => ({ properties: { os } })), {}])
    const ask = (key: string, search: string | null) =>
      here.store.personValues({ projectId: here.projectId, key, search })
    expect(await ask('os', null)).toEqual([
      { name: 'Mac', count: 2 },
      { name: '0', count: 1 },
      { name: '2', count: 1 },
      { name: 'win', count: 1 },
      { name: '{"a":1}', count: 1 },
    ])
    expect(await ask('os', 'MA')).toEqual([{ name: 'Mac', count: 2 }])
    expect(await ask('none', null)).toEqual([])
  })
}

const PEOPLE = 2_500

const ORDERS: PersonOrder[] = [
  { by: 'createdAt', isAscending: true },
  { by: 'lastSeenAt', isAscending: false },
  { by: 'lastSeenAt', isAscending: true },
]

/** Most recently written rows of each person count, whichever order they come in. */
export function manyPeople(opened: () => Opened): void {
  it('answers as a plain computation over thousands of people, written in any order', async () => {
    const here = opened()
    const world = new PeopleWorld(here.projectId, randomOf(11))
    for (const batch of world.batches(60, PEOPLE, 100)) await here.store.apply([batch], NOON)
    for (let i = 0; i < 16; i++) await checkList(here, world, world.filter())
    for (const order of ORDERS) {
      await checkList(here, world, {}, order)
      for (let i = 0; i < 2; i++) await checkList(here, world, world.filter(), order)
    }
    await checkFits(here, world, PEOPLE)
    await checkValues(here, world)
  })

  it('repeats nobody and leaves nobody out while people are added between two pages', async () => {
    const here = opened()
    const { store, projectId } = here
    const world = new PeopleWorld(projectId, randomOf(12))
    for (const batch of world.batches(5, 100, 50)) await store.apply([batch], NOON)
    const filter: PersonFilter = { properties: { key: 'none', operator: 'is_not_set', value: null } }
    const before = world.find(filter)
    const walked: number[] = []
    for (let seq = 100; ; seq++) {
      const last = walked.at(-1)
      const after = last === undefined ? {} : { after: world.cursorOf(last) }
      const { ids } = await store.findPersons(projectId, filter, { limit: 9, withCount: false, ...after })
      if (ids.length === 0) break
      walked.push(...ids)
      const newer = makePerson(projectId, { personId: seq + 1_000, createdAt: NOON + 1_000 })
      await store.apply([makeBatch(seq, { persons: [newer] })], NOON)
    }
    expect(walked).toEqual(before)
  })
}

/** A batch as a version before wrote it. */
function earlierBatch(seq: number, { persons, distinctIds }: Omit<MadeContent, 'events'>): OutboxBatch {
  const earlier = persons.map(({ updatedAt: _, lastSeenAt: __, isIdentified: ___, ...person }) => person)
  return { ...makeBatch(seq), text: JSON.stringify({ heads: [], persons: earlier, distinctIds }) }
}

export function earlierPeople(opened: () => Opened): void {
  it('takes batches of an earlier version, names their people, and knows all once they were stored again', async () => {
    const { store, projectId } = opened()
    const own = async (after = 0) =>
      (await store.incompletePersons(after, 100_000)).filter((person) => person.projectId === projectId)
    const persons = [1, 2, 3].map((n) => makePerson(projectId, { personId: projectId * 10 + n, properties: { n } }))
    const [first, second, third] = persons as [MadePerson, MadePerson, MadePerson]
    const distinctIds = [{ projectId, distinctId: 'ann', personId: first.personId }]
    await store.apply([earlierBatch(1, { persons, distinctIds })], NOON)
    expect(await store.personOf(projectId, 'ann')).toEqual({ ...first, updatedAt: null, isIdentified: null })
    const found = await store.findPersons(projectId, { search: 'ANN' }, ALL)
    expect([...found.ids]).toEqual([first.personId])
    const gone = { ...third, properties: {}, deleted: true }
    await store.apply([makeBatch(2, { persons: [gone] })], NOON)
    const named = [first, second].map(({ personId, uuid, createdAt }) => ({ projectId, personId, uuid, createdAt }))
    expect(await own()).toEqual(named)
    expect(await own(first.personId)).toEqual(named.slice(1))
    const changed = { updatedAfter: 0 }
    await expect(store.findPersons(projectId, changed, ALL)).rejects.toMatchObject({ kind: 'unavailable' })
    await store.apply([makeBatch(3, { persons: [first, second] })], NOON)
    expect(await own()).toEqual([])
    expect([...(await store.findPersons(projectId, changed, ALL)).ids]).toEqual([second.personId, first.personId])
  })
}

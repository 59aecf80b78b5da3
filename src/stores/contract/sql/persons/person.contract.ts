/** What every SQL adapter must do for `PersonReader` and `PersonWriter`. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { NewPerson, Person, PersonCursor, PersonLookup, PersonPage } from '../../../../model/persons/person.ts'
import type { SqlStores } from '../../../../model/stores.ts'
import type { OpenSql } from '../../open-sql.ts'
import { insertPerson } from '../../sql-builders.ts'

let counter = 0

export function personContract(name: string, open: OpenSql): void {
  let stores: SqlStores
  let end: () => Promise<void>
  beforeAll(async () => {
    ;({ stores, end } = await open())
  })
  afterAll(() => end())

  /** A project id of its own; the project itself is not needed here. */
  const newProject = (): number => ++counter
  const make = (projectId: number, distinctIds: string[], more: Partial<NewPerson> = {}) =>
    insertPerson(stores, projectId, distinctIds, more)
  const firstIds = async (projectId: number, filter: PersonLookup, limit = 100, offset = 0) =>
    (await stores.persons.list(projectId, filter, { limit, offset })).persons.map((person) => person.distinctIds[0])

  const walk = async (projectId: number, size: number): Promise<(string | undefined)[]> => {
    const walked: Person[] = []
    let after: PersonCursor | null = null
    do {
      const page: PersonPage = await stores.persons.listAfter(projectId, {}, after, size)
      expect(page.persons.length).toBeGreaterThan(0)
      walked.push(...page.persons)
      after = page.next
    } while (after)
    return walked.map((person) => person.distinctIds[0])
  }

  describe(`persons on ${name}`, () => {
    test('are created completely and found by id, uuid and distinct id', async () => {
      const project = newProject()
      const properties = { nil: null, half: 1.5, list: [], deep: { a: [{}] }, '': 'ü 🦔' }
      const person = await make(project, ['b', 'a'], { properties, isIdentified: true, createdAt: 1_234.567 })
      const expected = {
        id: person.id,
        projectId: project,
        uuid: person.uuid,
        properties,
        isIdentified: true,
        createdAt: 1_234.567,
        lastSeenAt: null,
        distinctIds: ['b', 'a'],
      }
      expect(person).toEqual(expected)
      expect(await stores.persons.find(project, { id: person.id })).toEqual(expected)
      expect(await stores.persons.find(project, { uuid: person.uuid })).toEqual(expected)
      expect(await stores.persons.findByDistinctId(project, 'a')).toEqual(expected)
    })

    test('of other projects are not found', async () => {
      const project = newProject()
      const person = await make(newProject(), ['a'])
      expect(await stores.persons.find(project, { id: person.id })).toBeNull()
      expect(await stores.persons.find(project, { uuid: person.uuid })).toBeNull()
      expect(await stores.persons.findByDistinctId(project, 'a')).toBeNull()
      expect(await stores.persons.findMany(project, [{ id: person.id }])).toEqual([])
    })

    test('are found many at once, each once, unknown ones left out', async () => {
      const project = newProject()
      const [one, two] = [await make(project, ['a', 'b']), await make(project, ['c'])]
      const found = await stores.persons.findMany(project, [
        { id: two.id },
        { uuid: one.uuid },
        { id: one.id },
        { id: -1 },
      ])
      expect(new Set(found.map((person) => person.id))).toEqual(new Set([one.id, two.id]))
      expect(found).toHaveLength(2)
      const byId = await stores.persons.findByDistinctIds(project, ['b', 'c', 'nobody'])
      expect([...byId].map(([id, person]) => [id, person.id])).toEqual([
        ['b', one.id],
        ['c', two.id],
      ])
      expect(await stores.persons.findMany(project, [])).toEqual([])
    })

    test('get ids that increase and are never reused, not even after the newest is gone', async () => {
      const project = newProject()
      const first = await make(project, ['a'])
      await stores.transaction((tx) => tx.persons.remove(first.id))
      const second = await make(project, ['a'], { uuid: first.uuid })
      expect(second.id).toBeGreaterThan(first.id)
      expect(await stores.persons.find(project, { id: first.id })).toBeNull()
    })

    test('cannot share a distinct id or a uuid within a project; a transaction that tries leaves nothing', async () => {
      const project = newProject()
      const first = await make(project, ['a'])
      await expect(make(project, ['fresh', 'a'])).rejects.toThrow()
      await expect(make(project, ['b'], { uuid: first.uuid })).rejects.toThrow()
      expect(await stores.persons.count(project, {})).toBe(1)
      expect(await stores.persons.findByDistinctId(project, 'fresh')).toBeNull()
      await make(newProject(), ['a'], { uuid: first.uuid })
    })

    test('are saved with other properties', async () => {
      const project = newProject()
      const person = await make(project, ['a'], { properties: { a: 1 } })
      await make(project, ['b'])
      await stores.transaction((tx) => tx.persons.saveProperties(person.id, { b: [null] }, 5_000))
      expect((await stores.persons.find(project, { id: person.id }))?.properties).toEqual({ b: [null] })
    })

    test('a transaction sees what it wrote; others see it only afterwards; a failed one leaves nothing', async () => {
      const project = newProject()
      const person = await make(project, ['a'], { properties: { n: 0 } })
      const ref = { id: person.id }
      await stores.transaction(async (tx) => {
        await tx.persons.saveProperties(person.id, { n: 1 }, 2)
        expect((await tx.persons.find(project, ref))?.properties).toEqual({ n: 1 })
        expect((await stores.persons.find(project, ref))?.properties).toEqual({ n: 0 })
      })
      expect((await stores.persons.find(project, ref))?.properties).toEqual({ n: 1 })
      const failing = stores.transaction(async (tx) => {
        await tx.persons.saveProperties(person.id, { n: 2 }, 3)
        throw new Error('on purpose')
      })
      await expect(failing).rejects.toThrow('on purpose')
      expect((await stores.persons.find(project, ref))?.properties).toEqual({ n: 1 })
    })

    test('lose ids that move to another person, where they keep their place in the order of storing', async () => {
      const project = newProject()
      const [one, two] = [await make(project, ['a', 'b', 'c']), await make(project, ['d'])]
      await stores.transaction((tx) => tx.persons.moveDistinctIds(project, ['c', 'a'], two.id))
      expect((await stores.persons.find(project, { id: one.id }))?.distinctIds).toEqual(['b'])
      expect((await stores.persons.find(project, { id: two.id }))?.distinctIds).toEqual(['a', 'c', 'd'])
      expect((await stores.persons.findByDistinctId(project, 'a'))?.id).toBe(two.id)
    })

    test('move no id of another project', async () => {
      const [project, other] = [newProject(), newProject()]
      const [mine, theirs] = [await make(project, ['a']), await make(other, ['a'])]
      await stores.transaction((tx) => tx.persons.moveDistinctIds(project, ['a'], mine.id))
      expect((await stores.persons.findByDistinctId(other, 'a'))?.id).toBe(theirs.id)
    })

    test('take their ids with them when they are removed', async () => {
      const project = newProject()
      const [gone, stays] = [await make(project, ['a', 'b']), await make(project, ['c'])]
      await stores.transaction((tx) => tx.persons.remove(gone.id))
      expect(await stores.persons.findByDistinctId(project, 'b')).toBeNull()
      expect((await stores.persons.findByDistinctId(project, 'c'))?.id).toBe(stays.id)
      await make(project, ['a'])
    })

    test('move thousands of ids at once', async () => {
      const project = newProject()
      const ids = Array.from({ length: 2_500 }, (_, i) => `id-${i}`)
      await make(project, ids)
      const target = await make(project, ['target'])
      await stores.transaction((tx) => tx.persons.moveDistinctIds(project, ids, target.id))
      expect((await stores.persons.find(project, { id: target.id }))?.distinctIds).toEqual([...ids, 'target'])
    })
  })

  describe(`the list of persons on ${name}`, () => {
    test('is newest first, then by id descending, in exact pages', async () => {
      const project = newProject()
      for (const [id, createdAt] of Object.entries({ a: 5, b: 7, c: 5, d: 6.5, e: 5 })) {
        await make(project, [id], { createdAt })
      }
      expect(await firstIds(project, {})).toEqual(['b', 'd', 'e', 'c', 'a'])
      expect(await firstIds(project, {}, 2, 1)).toEqual(['d', 'e'])
      expect(await firstIds(project, {}, 2, 4)).toEqual(['a'])
      expect(await firstIds(project, {}, 2, 5)).toEqual([])
    })

    test('can be walked from a position without a gap or a repeat, whatever the page', async () => {
      const project = newProject()
      for (let i = 0; i < 23; i++) await make(project, [`id-${i}`, `alias-${i}`], { createdAt: i % 3 })
      const whole = await firstIds(project, {})
      for (const size of [1, 5, 23, 50]) expect(await walk(project, size)).toEqual(whole)
    })

    test('goes on after a place, and says where, whatever was added, moved or removed since', async () => {
      const project = newProject()
      for (let i = 0; i < 6; i++) await make(project, [`id-${i}`], { createdAt: i })
      const { persons } = stores
      const first = await persons.list(project, {}, { limit: 2, offset: 0 })
      expect(first.persons.map(({ distinctIds }) => distinctIds[0])).toEqual(['id-5', 'id-4'])
      expect(first.next).toEqual({ time: 4, id: first.persons[1]?.id })
      await stores.transaction((tx) => tx.persons.remove(first.persons[1]?.id ?? 0))
      await make(project, ['new'], { createdAt: 9 })
      await make(project, ['old'], { createdAt: 0.5 })
      const second = await persons.list(project, {}, { limit: 2, offset: 77, after: first.next })
      expect(second.persons.map(({ distinctIds }) => distinctIds[0])).toEqual(['id-3', 'id-2'])
      const third = await persons.list(project, {}, { limit: 3, offset: 0, after: second.next })
      expect(third.persons.map(({ distinctIds }) => distinctIds[0])).toEqual(['id-1', 'old', 'id-0'])
      expect(third.next).toBeNull()
    })

    test('finds by e-mail and by distinct id, and counts the same', async () => {
      const project = newProject()
      await make(project, ['one', 'alias'], { properties: { email: 'Ärger@x.org', age: 30 } })
      await make(project, ['two'], { properties: { email: 'two@x.org', name: 'ÄRGER' } })
      await make(project, ['three'], { properties: { age: '31' } })
      const cases: [PersonLookup, string[]][] = [
        [{}, ['three', 'two', 'one']],
        [{ email: 'two@x.org' }, ['two']],
        [{ email: 'TWO@x.org' }, []],
        [{ distinctId: 'alias' }, ['one']],
        [{ distinctId: 'ali' }, []],
        [{ distinctId: 'one', email: 'two@x.org' }, []],
      ]
      for (const [filter, expected] of cases) {
        expect(await firstIds(project, filter), JSON.stringify(filter)).toEqual(expected)
        expect(await stores.persons.count(project, filter)).toBe(expected.length)
      }
      expect(await stores.persons.count(newProject(), {})).toBe(0)
    })

    test('by e-mail is exact, whatever the length and kind of the value', async () => {
      const project = newProject()
      const long = `${'ü'.repeat(300)}@x.org`
      const values: [string, unknown][] = [
        ['text', 'a@x.org'],
        ['long', long],
        ['longer', `${long}.uk`],
        ['number', 5],
        ['list', ['a@x.org']],
        ['null', null],
        ['empty', ''],
      ]
      for (const [id, email] of values) await make(project, [id], { properties: { email, other: 'a@x.org' } })
      await make(project, ['without'], { properties: { other: long } })
      await make(newProject(), ['elsewhere'], { properties: { email: long } })
      const cases = [
        ['a@x.org', ['text']],
        [long, ['long']],
        [`${long}.uk`, ['longer']],
        [long.slice(0, 200), []],
        ['5', ['number']],
        ['["a@x.org"]', ['list']],
        ['null', []],
      ] as const
      const found = await Promise.all(cases.map(([email]) => firstIds(project, { email })))
      expect(found).toEqual(cases.map(([, expected]) => expected))
      const counts = await Promise.all(cases.map(([email]) => stores.persons.count(project, { email })))
      expect(counts).toEqual(cases.map(([, expected]) => expected.length))
      const {
        persons: [first],
      } = await stores.persons.list(project, { email: long }, { limit: 1, offset: 0 })
      await stores.transaction((tx) => tx.persons.saveProperties(first?.id ?? 0, { email: 'new@x.org' }, 2))
      expect(await firstIds(project, { email: long })).toEqual([])
      expect(await firstIds(project, { email: 'new@x.org' })).toEqual(['long'])
    })
  })
}

/** What every SQL store must do with lists of people and of their history, however long: what capture writes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenedSql, OpenSql } from '../../open-sql.ts'
import { insertProject, NOW } from '../../sql-builders.ts'

const MANY = 5_000
/** What a list of texts might trip over. */
const TEXTS = ['', 'NULL', 'null', '{}', '{"a","b"}', '\\', '\\\\"', "it's", 'a,b', ' ', '$1', '\u{1f994}', 'ä\n\t']

const numbers = Array.from({ length: MANY }, (_, number) => number)
const textOf = (number: number): string => `${TEXTS[number % TEXTS.length]}${number}`

export function personRowsContract(engine: string, open: OpenSql): void {
  describe(`lists of people on ${engine}`, () => {
    let opened: OpenedSql
    let projectId: number
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(() => opened.end())

    const personOf = (number: number) => ({
      uuid: `uuid ${number}`,
      properties: JSON.stringify({ text: textOf(number) }),
      isIdentified: number % 3 === 0,
      createdAt: NOW + number / 1_000,
      lastSeenAt: number % 2 === 0 ? null : NOW + number,
    })
    const addPeople = async (some: number[]) => {
      const { transaction } = opened.stores
      return transaction((tx) => tx.intake.addPersons(projectId, some.map(personOf), NOW))
    }
    const find = (id: number | null) => opened.stores.persons.find(projectId, { id: id as number })
    const expectedOf = (number: number) => ({
      ...personOf(number),
      properties: { text: textOf(number) },
      projectId,
      distinctIds: [],
    })

    it('stores all of them in order, as they are', async () => {
      projectId = (await insertProject(opened.stores)).id
      const ids = (await addPeople(numbers)) as number[]
      expect(ids).toHaveLength(MANY)
      expect(ids).toEqual(ids.toSorted((a, b) => a - b))
      expect(new Set(ids).size).toBe(MANY)
      for (const number of numbers.slice(0, 100)) {
        expect(await find(ids[number] as number)).toEqual({ id: ids[number], ...expectedOf(number) })
      }
    })

    it('leaves people whose uuid is taken alone, wherever they are in the list', async () => {
      projectId = (await insertProject(opened.stores)).id
      const before = await addPeople(numbers.filter((number) => number % 7 === 3))
      const given = [...numbers.slice(0, 1_000), 500, 501, 999]
      const ids = await addPeople(given)
      const isTaken = (place: number) => place >= 1_000 || place % 7 === 3
      expect(ids.map((id) => id === null)).toEqual(given.map((_, place) => isTaken(place)))
      const added = ids.filter((id) => id !== null)
      expect(added).toEqual(added.toSorted((a, b) => a - b))
      for (const place of [0, 2, 4, 499, 501, 998]) {
        expect((await find(ids[place] ?? null))?.uuid).toBe(personOf(place).uuid)
      }
      expect(await opened.stores.persons.count(projectId, {})).toBe(before.length + added.length)
      expect(await addPeople(given)).toEqual(given.map(() => null))
      expect(await addPeople([])).toEqual([])
    })

    it('saves all of them, and nobody else', async () => {
      projectId = (await insertProject(opened.stores)).id
      const ids = (await addPeople(numbers)) as number[]
      const rows = numbers
        .filter((number) => number % 2 === 1)
        .map((number) => ({ ...personOf(number + 1), id: ids[number] as number }))
      const gone = { ...personOf(0), id: (ids.at(-1) as number) + 1_000 }
      await opened.stores.transaction((tx) => tx.intake.savePersons([gone, ...rows.toReversed()], NOW + 1))
      for (const number of numbers.slice(0, 100)) {
        const { uuid } = personOf(number)
        const expected = { ...expectedOf(number % 2 === 1 ? number + 1 : number), uuid, id: ids[number] }
        expect(await find(ids[number] as number)).toEqual(expected)
      }
      expect(await find(gone.id)).toBeNull()
      await opened.stores.transaction((tx) => tx.intake.savePersons([], NOW))
    })

    it('stores their history in order, as it is', async () => {
      projectId = (await insertProject(opened.stores)).id
      const [personId] = (await addPeople([0])) as [number]
      const changes = numbers.map((number) => ({
        personId,
        set: { [textOf(number)]: textOf(number) },
        once: {},
        removed: number % 2 === 0 ? [] : ['gone'],
        at: NOW + 0.25,
        seq: 2 ** 40,
        eventUuid: number % 2 === 0 ? null : textOf(number),
      }))
      await opened.stores.transaction((tx) => tx.persons.addHistory(projectId, changes))
      const found = []
      for (let last = null; ; last = found.at(-1) ?? null) {
        const some = await opened.stores.persons.history(projectId, personId, NOW + 1, last, 1_000)
        if (some.length === 0) break
        found.push(...some)
      }
      expect(found.map(({ id: _, ...change }) => change)).toEqual(changes)
    })
  })
}

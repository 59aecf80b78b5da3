/** What every SQL adapter must do for the property history: part of `PersonReader` and `PersonWriter`. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SqlStores } from '../../../../model/stores.ts'
import { makeChange, wholeHistory } from '../../history-builders.ts'
import type { OpenSql } from '../../open-sql.ts'
import { insertPerson } from '../../sql-builders.ts'

let counter = 0
const EVENT = '0196f1d2-7c00-7a4e-9d26-3f0e5f6c1a2d'

export function propertyHistoryContract(name: string, open: OpenSql): void {
  let stores: SqlStores
  let end: () => Promise<void>
  beforeAll(async () => {
    ;({ stores, end } = await open())
  })
  afterAll(() => end())

  /** A project id of its own; the project itself is not needed here. */
  const newProject = (): number => ++counter
  const make = (projectId: number) => insertPerson(stores, projectId)
  const add = (projectId: number, changes: ReturnType<typeof makeChange>[]) =>
    stores.transaction((tx) => tx.persons.addHistory(projectId, changes))
  const read = (projectId: number, personId: number, until?: number, limit?: number) =>
    wholeHistory(stores.persons, projectId, personId, { until, limit })

  describe(`the property history on ${name}`, () => {
    test('is oldest first, up to and including a moment, with every field as it was', async () => {
      const project = newProject()
      const { id } = await make(project)
      const odd = { a: [null, 1.5], '': 'ü 🦔', big: 1e21, ['__proto__']: { deep: [{}] } }
      const changes = [
        makeChange(id, 1_731_727_000_123.457, { set: odd, once: { b: false }, removed: ['c', 'd'], eventUuid: EVENT }),
        makeChange(id, 10, { seq: 2, once: { second: null } }),
        makeChange(id, 10, { seq: 1, removed: ['first'] }),
        makeChange(id, 10, { seq: 2, set: { third: 'x' } }),
      ]
      await add(project, changes)
      const [late, second, first, third] = changes
      const all = await read(project, id)
      expect(all).toMatchObject([first, second, third, late].map((one) => ({ ...one })))
      expect(Object.entries(all[3]?.set ?? {})).toEqual(Object.entries(odd))
      expect(await read(project, id, 1_731_727_000_123.457)).toHaveLength(4)
      expect(await read(project, id, 1_731_727_000_123.456)).toHaveLength(3)
      expect(await read(project, id, 9)).toEqual([])
      expect(await read(newProject(), id)).toEqual([])
    })

    test('is the same read in portions of any size, and has no changes without keys', async () => {
      const project = newProject()
      const { id } = await make(project)
      const changes = Array.from({ length: 50 }, (_, n) => makeChange(id, n % 7, { seq: n % 5, set: { n } }))
      await add(project, [...changes, makeChange(id, 3)])
      const sorted = changes.toSorted((a, b) => a.at - b.at || a.seq - b.seq).map(({ set }) => set)
      for (const limit of [1, 3, 50, 1_000]) {
        expect((await read(project, id, undefined, limit)).map(({ set }) => set)).toEqual(sorted)
      }
    })

    test('goes in portions, of one person', async () => {
      const project = newProject()
      const [gone, stays] = [await make(project), await make(project)]
      const set = { x: 1 }
      await stores.transaction(async (tx) => {
        const changes = [1, 2, 3, 4, 5].map((at) => makeChange(gone.id, at, { set }))
        await tx.persons.addHistory(project, [...changes, makeChange(stays.id, 1, { set })])
        for (const left of [2, 2, 1, 0]) expect(await tx.persons.removeHistory(gone.id, 2)).toBe(left)
      })
      expect(await read(project, gone.id)).toEqual([])
      expect(await read(project, stays.id)).toHaveLength(1)
      expect(await stores.persons.find(project, { id: gone.id })).not.toBeNull()
    })

    test('is walked by time', async () => {
      const project = newProject()
      const { id } = await make(project)
      await add(
        project,
        [30, 10, 10, 20.5, 10].map((at, n) => makeChange(id, at, { seq: n, set: { n } })),
      )
      const parts = await stores.transaction(async (tx) => {
        const first = await tx.persons.changesAfter(id, null, 2)
        const second = await tx.persons.changesAfter(id, first.at(-1) ?? null, 2)
        const third = await tx.persons.changesAfter(id, second.at(-1) ?? null, 2)
        return [first, second, third, await tx.persons.changesAfter(id, third.at(-1) ?? null, 2)]
      })
      expect(parts.map((part) => part.map(({ set }) => set.n))).toEqual([[1, 2], [4, 3], [0], []])
    })

    test('loses keys and the events they came from; a change without a key left is gone', async () => {
      const project = newProject()
      const [{ id }, other] = [await make(project), await make(project)]
      const content = { set: { a: 1, b: 2 }, once: { c: 3, d: 4 }, removed: ['e', 'f'], eventUuid: EVENT }
      await add(project, [
        ...[1, 2, 3, 4].map((at) => makeChange(id, at, content)),
        makeChange(other.id, 1, { ...content }),
      ])
      const [first, second, third] = await read(project, id)
      const trims = [
        { id: first?.id ?? 0, keys: new Set(['a', 'd', 'f', 'nothing']) },
        { id: second?.id ?? 0, keys: new Set(['a', 'b', 'c', 'd', 'e', 'f']) },
        { id: third?.id ?? 0, keys: new Set<string>() },
      ]
      // Once more, and of a change that is gone by then.
      for (const _ of [1, 2]) await stores.transaction((tx) => tx.persons.trimChanges(trims))
      expect(await read(project, id)).toMatchObject([
        { at: 1, set: { b: 2 }, once: { c: 3 }, removed: ['e'], eventUuid: null },
        { at: 3, ...content, eventUuid: null },
        { at: 4, ...content },
      ])
      expect((await read(project, id))[0]?.set).toEqual({ b: 2 })
      expect(await read(project, other.id)).toMatchObject([content])
    })

    test('accepts thousands of changes at once, and large ones', async () => {
      const project = newProject()
      const { id } = await make(project)
      const text = 'x'.repeat(900_000)
      const small = Array.from({ length: 2_500 }, (_, n) => makeChange(id, n, { set: { n } }))
      const large = Array.from({ length: 25 }, (_, n) => makeChange(id, 10_000 + n, { set: { n, text } }))
      await add(project, [...small, ...large])
      expect((await read(project, id)).map(({ set }) => set.n)).toEqual([...small, ...large].map(({ set }) => set.n))
      // A page is bounded by its bytes.
      const page = await stores.persons.history(project, id, Number.MAX_SAFE_INTEGER, null, 5_000)
      expect(page.length).toBeLessThan(2_525)
      const trims = (await read(project, id)).slice(2_400).map((change) => ({ id: change.id, keys: new Set(['n']) }))
      await stores.transaction((tx) => tx.persons.trimChanges(trims))
      expect(await read(project, id)).toHaveLength(2_425)
    })

    test('tells who has more than one change before an instant, of one project', async () => {
      const project = newProject()
      const [one, two, none] = [await make(project), await make(project), await make(project)]
      const elsewhere = newProject()
      const other = await make(elsewhere)
      const past = (personId: number, times: number[]) => times.map((at) => makeChange(personId, at, { set: { at } }))
      await add(project, [...past(one.id, [1, 20]), ...past(two.id, [9.5, 1, 20]), ...past(none.id, [10, 11])])
      await add(elsewhere, past(other.id, [1, 2]))
      const found = async (projectId: number, before: number) => {
        const ids: number[] = []
        for (let after: number | null = 0; after !== null; ) {
          const { ids: some, upTo }: { ids: number[]; upTo: number | null } = await stores.persons.withPast(
            projectId,
            before,
            after,
          )
          ids.push(...some)
          after = upTo
        }
        return ids
      }
      expect(await found(project, 10)).toEqual([two.id])
      expect((await found(project, 100)).toSorted((a, b) => a - b)).toEqual([one.id, two.id, none.id])
      expect(await found(project, 1)).toEqual([])
      expect(await found(elsewhere, 10)).toEqual([other.id])
    })
  })
}

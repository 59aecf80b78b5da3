/**
 * What every SQL store must do with what capture remembers. Event uuids: each counts once until it is forgotten.
 * Ingestion warnings: show the newest, keep a bounded number, forget old ones.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uuidV7 } from '../../../lib/ids.ts'
import { chunks } from '../../../lib/lists/lists.ts'
import { DAY } from '../../../lib/time/time.ts'
import { WARNINGS_KEPT } from '../../../model/events/intake.ts'
import type { OpenedSql, OpenSql } from '../open-sql.ts'
import { insertProject, NOW } from '../sql-builders.ts'

const ALL = { limit: 100_000, offset: 0 }
/** So many that an engine which runs them twice reaches the next trim in the run that is rolled back. */
const AT_ONCE = 250

export function warningContract(engine: string, open: OpenSql): void {
  describe(`ingestion warnings on ${engine}`, () => {
    let opened: OpenedSql
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(() => opened.end())

    /** `at` returns the instant of each; their numbers are their details. */
    const write = async (projectId: number, numbers: number[], at: (number: number) => number) => {
      for (const some of chunks(numbers, AT_ONCE)) {
        const warnings = some.map((number) => {
          const createdAt = at(number)
          return { id: uuidV7(createdAt), type: 't', details: { number }, createdAt }
        })
        // In two lists.
        await opened.stores.transaction(async (tx) => {
          for (const part of chunks(warnings, AT_ONCE / 2)) await tx.intake.addWarnings(projectId, part)
        })
      }
    }
    const numbersOf = async (projectId: number) => {
      const { count, items } = await opened.stores.intake.warnings(projectId, null, ALL)
      expect(items.length).toBe(count)
      return items.map(({ details }) => details.number as number)
    }
    const upTo = (count: number) => Array.from({ length: count }, (_, number) => number)

    it('keeps the newest of a project, and no more than a few hundred beyond, while they are written', async () => {
      const { id } = await insertProject(opened.stores)
      const other = await insertProject(opened.stores)
      await write(other.id, upTo(700), (number) => NOW + number)
      const written = 3 * WARNINGS_KEPT + 321
      await write(id, upTo(written), (number) => NOW + number)
      const numbers = await numbersOf(id)
      expect(numbers.length).toBeGreaterThanOrEqual(WARNINGS_KEPT)
      expect(numbers.length).toBeLessThan(WARNINGS_KEPT + 500)
      expect(numbers).toEqual(upTo(written).reverse().slice(0, numbers.length))
      expect((await numbersOf(other.id)).length).toBe(700)
    })

    it('trims a project to its limit, a portion at a time, and returns how many were removed', async () => {
      const { id } = await insertProject(opened.stores)
      await write(id, upTo(WARNINGS_KEPT + 450), (number) => NOW + number)
      const before = (await numbersOf(id)).length
      expect(before).toBeGreaterThan(WARNINGS_KEPT)
      const trim = (limit: number) => opened.stores.transaction((tx) => tx.intake.trimWarnings(id, limit))
      expect(await trim(10)).toBe(10)
      expect((await numbersOf(id)).length).toBe(before - 10)
      expect(await trim(5_000)).toBe(before - 10 - WARNINGS_KEPT)
      expect(await trim(5_000)).toBe(0)
      expect(await numbersOf(id)).toEqual(
        upTo(WARNINGS_KEPT + 450)
          .reverse()
          .slice(0, WARNINGS_KEPT),
      )
    })

    it('removes those of a project that are older than an instant, a portion at a time', async () => {
      const { id } = await insertProject(opened.stores)
      const other = await insertProject(opened.stores)
      for (const project of [id, other.id]) await write(project, upTo(300), (number) => NOW - number * DAY)
      const forget = (limit: number) =>
        opened.stores.transaction((tx) => tx.intake.forgetWarnings(id, NOW - 30 * DAY, limit))
      expect(await forget(100)).toBe(100)
      expect(await forget(5_000)).toBe(169)
      expect(await forget(5_000)).toBe(0)
      expect(await numbersOf(id)).toEqual(upTo(31))
      expect((await numbersOf(other.id)).length).toBe(300)
    })
  })
}

export function eventUuidContract(engine: string, open: OpenSql): void {
  describe(`event uuids on ${engine}`, () => {
    let opened: OpenedSql
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(() => opened.end())

    const newUuids = (count: number) => Array.from({ length: count }, () => uuidV7(NOW))
    const fresh = async (projectId: number, uuids: string[], now = NOW) =>
      [
        ...(await opened.stores.peopleTransaction([projectId], (tx) => tx.intake.freshUuids(projectId, uuids, now))),
      ].sort()
    const forget = (before: number, limit: number) =>
      opened.stores.transaction((tx) => tx.intake.forgetUuids(before, limit))

    it('count once in a project, whenever they come again: a retry may be of the day after', async () => {
      const midnight = Math.ceil(NOW / DAY) * DAY
      const [uuids, [later]] = [newUuids(40), newUuids(1)]
      expect(await fresh(1, uuids, midnight - 1)).toEqual([...uuids].sort())
      expect(await fresh(1, uuids, midnight + 1)).toEqual([])
      expect(await fresh(1, [...uuids, `${later}`], midnight + 3 * DAY)).toEqual([later])
      expect(await fresh(2, uuids, midnight + 1)).toEqual([...uuids].sort())
      expect(await forget(midnight + 4 * DAY, 1_000)).toBe(81)
    })

    it('are forgotten in portions of at most so many, and only those from before', async () => {
      const [old, recent] = [newUuids(50), newUuids(30)]
      await fresh(1, old, NOW)
      await fresh(1, recent, NOW + DAY)
      const portions = [await forget(NOW + DAY, 20), await forget(NOW + DAY, 20), await forget(NOW + DAY, 20)]
      expect([...portions, await forget(NOW + DAY, 20)]).toEqual([20, 20, 10, 0])
      expect(await fresh(1, [...old, ...recent], NOW + DAY)).toEqual([...old].sort())
    })

    it('that were withdrawn are fresh again', async () => {
      const [kept, back] = [newUuids(20), newUuids(20)]
      await opened.stores.peopleTransaction([3], async (tx) => {
        await tx.intake.freshUuids(3, [...kept, ...back], NOW)
        await tx.intake.withdrawUuids(3, back)
      })
      expect(await fresh(3, [...kept, ...back])).toEqual([...back].sort())
    })
  })
}

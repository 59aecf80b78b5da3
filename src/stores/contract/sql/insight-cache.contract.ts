/** What every store of computed results must do. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CachedResult } from '../../../model/insights/insight-cache.ts'
import type { OpenedSql, OpenSql } from '../open-sql.ts'
import { insertProject, insertRemovedProject, NOW } from '../sql-builders.ts'

const ANY_SIZE = Number.MAX_SAFE_INTEGER

export function insightCacheContract(engine: string, open: OpenSql): void {
  describe(`computed results on ${engine}`, () => {
    let opened: OpenedSql
    let projectId: number
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(() => opened.end())
    beforeEach(async () => {
      projectId = (await insertProject(opened.stores)).id
    })

    const made = (given: Partial<CachedResult> = {}): CachedResult => ({
      projectId,
      key: 'k',
      state: 's',
      result: { kind: 'RetentionQuery', period: 'Week', rows: [{ label: 'Week 0 ✓', date: '', values: [] }] },
      computedAt: NOW,
      ...given,
    })
    const save = (given: Partial<CachedResult> = {}) =>
      opened.stores.transaction(async (tx) =>
        tx.insightCache.save(made(given), await tx.insightCache.erasures(projectId)),
      )
    const find = (keys: string[], maxBytes = ANY_SIZE) => opened.stores.insightCache.find(projectId, keys, maxBytes)

    it('returns what was saved, by its key', async () => {
      await save()
      await save({ key: 'other', state: 't' })
      expect(await find(['k', 'none'])).toEqual([made()])
      expect((await find(['other', 'k'])).map(({ state }) => state).sort()).toEqual(['s', 't'])
      expect(await find([])).toEqual([])
    })

    it('replaces an old result by a new one, but not a new one by an old', async () => {
      await save()
      await save({ state: 'later', computedAt: NOW + 1 })
      await save({ state: 'late', computedAt: NOW })
      expect(await find(['k'])).toEqual([made({ state: 'later', computedAt: NOW + 1 })])
    })

    it('leaves out what is larger than the limit', async () => {
      await save()
      const size = Buffer.byteLength(JSON.stringify(made().result))
      expect(await find(['k'], size)).toHaveLength(1)
      expect(await find(['k'], size - 1)).toEqual([])
    })

    it('keeps projects apart, and removes the results of a removed project', async () => {
      await save()
      const other = (await insertProject(opened.stores)).id
      expect(await opened.stores.insightCache.find(other, ['k'], ANY_SIZE)).toEqual([])
      await insertRemovedProject(opened.stores, other)
      expect(await find(['k'])).toHaveLength(1)
      await insertRemovedProject(opened.stores, projectId)
      expect(await find(['k'])).toEqual([])
    })

    it('removes everything of a project when it is cleared', async () => {
      await save()
      await opened.stores.transaction((tx) => tx.insightCache.clear(projectId))
      expect(await find(['k'])).toEqual([])
    })

    it('stores nothing that was started before an erasure, nor anything of a removed project', async () => {
      const { stores } = opened
      const saveAs = (erasures: number | null) =>
        stores.transaction((tx) => tx.insightCache.save(made({ computedAt: NOW + 9 }), erasures))
      const before = await stores.insightCache.erasures(projectId)
      const other = (await insertProject(stores)).id
      await stores.transaction((tx) => tx.insightCache.clear(other))
      expect(await stores.insightCache.erasures(projectId)).toBe(before)
      await stores.transaction((tx) => tx.insightCache.clear(projectId))
      expect(await saveAs(before)).toBe(false)
      expect(await find(['k'])).toEqual([])
      expect(await saveAs(await stores.insightCache.erasures(projectId))).toBe(true)
      await insertRemovedProject(stores, projectId)
      expect(await stores.insightCache.erasures(projectId)).toBeNull()
      expect([await saveAs(null), await saveAs(before)]).toEqual([false, false])
      expect(await find(['k'])).toEqual([])
    })

    it('prunes what is old and what is too many, the oldest first', async () => {
      for (const age of [0, 1, 2, 3, 4]) await save({ key: `k${age}`, computedAt: NOW - age })
      const keys = ['k0', 'k1', 'k2', 'k3', 'k4']
      const left = async () => (await find(keys)).map(({ key }) => key).sort()
      const prune = (before: number, keep: number) =>
        opened.stores.transaction((tx) => tx.insightCache.prune(projectId, before, keep))
      await prune(NOW - 3, 9)
      expect(await left()).toEqual(['k0', 'k1', 'k2', 'k3'])
      await prune(NOW - 3, 2)
      expect(await left()).toEqual(['k0', 'k1'])
    })
  })
}

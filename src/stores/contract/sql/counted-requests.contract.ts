/** What every store must do with what processes have counted against limits. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenedSql, OpenSql } from '../open-sql.ts'
import { NOW } from '../sql-builders.ts'

export function countedRequestContract(engine: string, open: OpenSql): void {
  describe(`counted requests on ${engine}`, () => {
    let opened: OpenedSql
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(() => opened.end())

    it('are read from an id and an instant on, and removed by their age', async () => {
      const { countedRequests, transaction, relaxed } = opened.stores
      const told = [0, 1, 2].map((place) => ({ process: `p${place}`, at: NOW + place, counts: { 'key:ä': place + 1 } }))
      for (const one of told) await transaction((tx) => tx.countedRequests.add(one))
      const all = await countedRequests.after(0, NOW)
      expect(all).toEqual(told.map((one) => ({ id: expect.any(Number), ...one })))
      expect(await countedRequests.after(all[0]?.id ?? 0, NOW)).toEqual(all.slice(1))
      expect(await countedRequests.after(0, NOW + 2)).toEqual(all.slice(2))
      const remove = (limit: number) => relaxed((tx) => tx.countedRequests.removeBefore(NOW + 2, limit))
      expect([await remove(1), await remove(10), await remove(10)]).toEqual([1, 1, 0])
      expect(await countedRequests.after(0, 0)).toEqual(all.slice(2))
    })
  })
}

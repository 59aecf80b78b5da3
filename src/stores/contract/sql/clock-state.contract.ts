import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OpenedSql, OpenSql } from '../open-sql.ts'
import { NOW } from '../sql-builders.ts'

export function clockStateContract(engine: string, open: OpenSql): void {
  describe(`the clock state on ${engine}`, () => {
    let opened: OpenedSql
    beforeEach(async () => {
      opened = await open()
    })
    afterEach(() => opened.end())

    it('is empty at first, then what was saved last, except for the newest trusted instant', async () => {
      expect(await opened.stores.clockState.find()).toBeNull()
      const states = [
        { seenAt: NOW, trustedAt: NOW, holdLeft: 5 },
        { seenAt: NOW - 9, trustedAt: NOW - 9, holdLeft: null },
        { seenAt: NOW + 1, trustedAt: NOW + 1, holdLeft: 2.5 },
      ]
      const found = []
      for (const state of states) {
        await opened.stores.relaxed((tx) => tx.clockState.save(state))
        found.push(await opened.stores.clockState.find())
      }
      expect(found).toEqual([states[0], { seenAt: NOW - 9, trustedAt: NOW, holdLeft: null }, states[2]])
    })
  })
}

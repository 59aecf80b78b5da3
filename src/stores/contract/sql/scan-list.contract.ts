/**
 * What every SQL adapter must do for lists of thousands of entries: return exactly the pages and counts of a plain
 * computation over the same rows, whatever portions it works in.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ManyList, manyLists } from '../list-builders.ts'
import type { OpenedSql, OpenSql } from '../open-sql.ts'

/** More than two portions. */
const ROWS = 11_000

const PAGES = [
  { limit: 10, offset: 0 },
  { limit: 1_000, offset: 4_500 },
  { limit: 7, offset: 9_999 },
  { limit: 100, offset: ROWS + 1 },
]

export function scanListContract(engine: string, open: OpenSql): void {
  describe(`lists of thousands on ${engine}`, () => {
    let opened: OpenedSql
    let lists: ManyList[]
    beforeAll(async () => {
      opened = await open()
      lists = await manyLists(opened.stores, ROWS)
    })
    afterAll(() => opened.end())

    it.each(PAGES)('are given in exact pages: $limit from $offset', async (page) => {
      for (const { name, list, expected } of lists) {
        const { count, items } = await list(opened.stores, page)
        expect(count, name).toBe(expected.length)
        const ids = items.map(({ id }) => id)
        expect(ids, name).toEqual(expected.slice(page.offset, page.offset + page.limit))
      }
    })
  })
}

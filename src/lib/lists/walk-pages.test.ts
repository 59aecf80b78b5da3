import { expect, it } from 'vitest'
import { walkPage, walkPages } from './walk-pages.ts'

/** Numbers, highest first, as a store keeps rows: newest first. */
const listOf = (count: number) => {
  const rows = Array.from({ length: count }, (_, i) => count - i)
  const reads: [after: number | null, limit: number][] = []
  const read = async (after: number | null, limit: number) => {
    reads.push([after, limit])
    return rows.filter((row) => after === null || row < after).slice(0, limit)
  }
  return { rows, reads, read }
}

async function all<T>(pages: AsyncIterable<T[]>): Promise<T[]> {
  const rows: T[] = []
  for await (const page of pages) rows.push(...page)
  return rows
}

it.each([0, 1, 999, 1_000, 1_001, 2_000, 2_345])(
  'gives each of %i rows once, as often as it is called',
  async (count) => {
    const { rows, read } = listOf(count)
    const pages = walkPages(read, (page) => page.map((row) => -row))
    for (let i = 0; i < 2; i++) expect(await all(pages())).toEqual(rows.map((row) => -row))
  },
)

it('reads each page after the last row of the one before, up to one without rows', async () => {
  const { reads, read } = listOf(2_345)
  await all(walkPages(read, (page) => page)())
  expect(reads).toEqual([
    [null, 1_000],
    [1_346, 1_000],
    [346, 1_000],
    [1, 1_000],
  ])
})

it('is not shifted by rows that come while it walks', async () => {
  const { rows, read } = listOf(1_500)
  const expected = [...rows]
  const seen: number[] = []
  for await (const page of walkPages(read, async (found) => found)()) {
    seen.push(...page)
    rows.unshift(rows.length + 2, rows.length + 1)
  }
  expect(seen).toEqual(expected)
})

it.each([
  [10, 0],
  [100, 5],
  [1_000, 0],
])('reads a page of %i rows from %i until it is whole, though it comes in parts', async (limit, offset) => {
  const { rows } = listOf(60)
  const pages = walkPage(async (page) => rows.slice(page.offset, page.offset + Math.min(7, page.limit)), {
    limit,
    offset,
  })
  for (let i = 0; i < 2; i++) expect(await all(pages())).toEqual(rows.slice(offset, offset + limit))
})

it('goes on after a page that is not full', async () => {
  const { rows, read } = listOf(50)
  const short = walkPages(
    (after: number | null) => read(after, 3),
    (page) => page,
  )
  expect(await all(short())).toEqual(rows)
})

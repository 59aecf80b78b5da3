import { expect, it } from 'vitest'
import { walk } from './walk.ts'

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
    const pages = walk(read, (page) => page.map((row) => -row))
    for (let i = 0; i < 2; i++) expect(await all(pages())).toEqual(rows.map((row) => -row))
  },
)

it('reads each page after the last row of the one before, and not beyond the end', async () => {
  const { reads, read } = listOf(2_345)
  await all(walk(read, (page) => page)())
  expect(reads).toEqual([
    [null, 1_000],
    [1_346, 1_000],
    [346, 1_000],
  ])
})

it('is not shifted by rows that come while it walks', async () => {
  const { rows, read } = listOf(1_500)
  const expected = [...rows]
  const seen: number[] = []
  for await (const page of walk(read, async (found) => found)()) {
    seen.push(...page)
    rows.unshift(rows.length + 2, rows.length + 1)
  }
  expect(seen).toEqual(expected)
})

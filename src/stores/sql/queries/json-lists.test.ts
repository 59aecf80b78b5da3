import { expect, test } from 'vitest'
import { jsonLists } from './json-lists.ts'

test('rows are one list, long ones several, and none is divided', () => {
  expect(jsonLists([])).toEqual([])
  expect(
    jsonLists([
      [1, 'a'],
      [2, null],
    ]),
  ).toEqual(['[[1,"a"],[2,null]]'])
  const rows = [400_000, 400_000, 400_000, 2_000_000, 1].map((size, n) => [n, 'x'.repeat(size)])
  const lists = jsonLists(rows)
  expect(lists.map((list) => JSON.parse(list).length)).toEqual([2, 1, 1, 1])
  expect(lists.flatMap((list) => JSON.parse(list))).toEqual(rows)
})

import { expect, it } from 'vitest'
import { RecentBatches } from './recent-batches.ts'

it('returns what was stored, once', () => {
  const recent = new RecentBatches()
  recent.keep('a', '12345')
  recent.keep('b', '1234')
  expect(recent.size).toBe(9)
  expect([recent.take('b'), recent.take('b'), recent.take('none')]).toEqual(['1234', null, null])
  expect(recent.size).toBe(5)
})

it('drops the oldest beyond its limit', () => {
  const recent = new RecentBatches(10)
  for (const [id, text] of [
    ['a', '12345'],
    ['b', '1234'],
    ['c', '12'],
  ] as const)
    recent.keep(id, text)
  expect(recent.size).toBe(6)
  expect([recent.take('a'), recent.take('b'), recent.take('c')]).toEqual([null, '1234', '12'])
})

it('stores nothing that is larger than its limit', () => {
  const recent = new RecentBatches(3)
  recent.keep('a', '12')
  recent.keep('b', '1234')
  expect([recent.take('a'), recent.take('b'), recent.size]).toEqual([null, null, 0])
})

it('drops what nobody has taken for a minute when the next comes', () => {
  const recent = new RecentBatches()
  recent.keep('a', '12', 0)
  recent.keep('b', '34', 60_000)
  recent.keep('c', '56', 60_001)
  expect([recent.take('a'), recent.take('b'), recent.take('c')]).toEqual([null, '34', '56'])
})

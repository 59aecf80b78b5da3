import { expect, it } from 'vitest'
import { RecentBatches } from './recent-batches.ts'

it('keeps what was put there last, up to its bound', () => {
  const recent = new RecentBatches(10)
  recent.keep('a', '12345')
  recent.keep('b', '1234')
  expect([recent.find('a'), recent.find('b')]).toEqual(['12345', '1234'])
  recent.keep('c', '12')
  expect([recent.find('a'), recent.find('b'), recent.find('c')]).toEqual([null, '1234', '12'])
})

it('keeps nothing that is larger than all of it', () => {
  const recent = new RecentBatches(3)
  recent.keep('a', '12')
  recent.keep('b', '1234')
  expect([recent.find('a'), recent.find('b')]).toEqual([null, null])
})

it('has room again for what was forgotten, also twice', () => {
  const recent = new RecentBatches(4)
  recent.keep('a', '12')
  recent.forget('a')
  recent.forget('a')
  recent.keep('b', '12')
  recent.keep('c', '12')
  expect([recent.find('a'), recent.find('b'), recent.find('c')]).toEqual([null, '12', '12'])
})

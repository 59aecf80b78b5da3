import { describe, expect, it } from 'vitest'
import { firstBlockFor, firstFrame } from './first-block.ts'
import type { Block } from './snapshot-source.ts'

/** Blocks of ten milliseconds with these full snapshots, as `window time`; null: not known. */
const blocksOf = (...lists: (string[] | null)[]): Block[] =>
  lists.map((list, key) => ({
    key,
    start: key * 10,
    end: key * 10 + 9,
    full:
      list?.map((text) => {
        const [windowId = '', timestamp] = text.split(' ')
        return { windowId, timestamp: Number(timestamp) }
      }) ?? null,
  }))

describe('the block to begin with', () => {
  const blocks = blocksOf(['a 1'], [], ['a 20'], ['b 31', 'b 35'], [])
  it('is that of the last full snapshot up to a time', () => {
    expect([0, 5, 19, 20, 30, 31, 34, 99].map((time) => firstBlockFor(blocks, time))).toEqual([0, 0, 0, 2, 2, 3, 3, 3])
  })
  it('is that of one window', () => {
    expect(firstBlockFor(blocks, 99, 'a')).toBe(2)
    expect(firstBlockFor(blocks, 99, 'unknown')).toBe(0)
  })
  it('is the first one where the list does not say of all before', () => {
    expect(firstBlockFor(blocksOf(['a 1'], null, ['a 20']), 25)).toBe(0)
    expect(firstBlockFor(blocksOf(['a 1'], ['a 11'], null), 15)).toBe(1)
  })
  it('leads to a first frame at the earliest of all', () => {
    expect(firstFrame(blocksOf([], ['b 12', 'a 11'], ['a 20']))).toBe(11)
  })
})

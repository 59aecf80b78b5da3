import { describe, expect, it } from 'vitest'
import { wholeKey } from '../../model/blob.ts'
import type { RecordingBlock } from '../../model/recordings/recording.ts'
import { planJoins } from './join-blocks.ts'

const block = (index: number, blobKey: string, offset: number, length: number): RecordingBlock => ({
  index,
  blobKey,
  offset,
  length,
  firstAt: 0,
  lastAt: 0,
  follows: null,
  fullSnapshots: '',
})

/** Blocks of these lengths, each an object. */
const pieces = (lengths: number[], from = 0): RecordingBlock[] => {
  let end = 0
  return lengths.map((length, i) => {
    const made = block(from + i, 'f', end, length)
    end += length
    return made
  })
}
/** One object with blocks of these lengths. */
const whole = (key: string, lengths: number[], from = 0): RecordingBlock[] =>
  pieces(lengths, from).map((made) => ({ ...made, blobKey: wholeKey(key) }))

const plans = (blocks: RecordingBlock[]) =>
  planJoins(blocks).map((plan) => plan.map((object) => object.blocks.map(({ index }) => index)))

const MB = 1_000_000

describe('the plan to join', () => {
  it('is none for nothing, one object, or one that was joined', () => {
    expect(plans([])).toEqual([])
    expect(plans(pieces([5]))).toEqual([])
    expect(plans(whole('a', [5, 6, 7]))).toEqual([])
  })

  it('makes one of all that fits, in order', () => {
    expect(plans(pieces([5, 6, 7]))).toEqual([[[0], [1], [2]]])
    expect(plans([...whole('a', [5, 6]), ...pieces([7, 8], 2)])).toEqual([[[0, 1], [2], [3]]])
  })

  it('makes several of at most 16 MB, and leaves alone what is large already', () => {
    expect(plans(pieces([8, 8, 1, 14, 2, 17, 3].map((size) => size * MB)))).toEqual([
      [[0], [1]],
      [[2], [3]],
    ])
    expect(plans([...whole('a', [8 * MB, 7 * MB]), ...whole('b', [2 * MB, MB], 2), ...pieces([MB], 4)])).toEqual([
      [[2, 3], [4]],
    ])
  })

  it('makes several of at most 1,000 blocks', () => {
    const found = plans(pieces(Array.from({ length: 2_500 }, () => 3)))
    expect(found.map((plan) => plan.length)).toEqual([1_000, 1_000, 500])
  })

  it('has nothing more to do with what was joined by it', () => {
    const lengths = Array.from({ length: 3_000 }, (_, i) => ((i * 7919) % 97) * 1_000 + 1)
    const joined = planJoins(pieces(lengths)).flatMap((plan, i) =>
      whole(
        String(i),
        plan.flatMap((object) => object.blocks.map(({ length }) => length)),
        plan[0]?.blocks[0]?.index,
      ),
    )
    expect(joined.map(({ index }) => index)).toEqual(lengths.map((_, i) => i))
    expect(plans(joined)).toEqual([])
  })
})

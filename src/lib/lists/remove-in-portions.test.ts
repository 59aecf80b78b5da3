import { describe, expect, it } from 'vitest'
import { PORTION, removeInPortions } from './remove-in-portions.ts'

/** So many rows; `taken` is what each call took. */
function rows(count: number) {
  const taken: number[] = []
  let left = count
  const remove = async (limit: number) => {
    const some = Math.min(limit, left)
    left -= some
    taken.push(some)
    return some
  }
  return { remove, taken }
}

describe('rows are removed', () => {
  it.each([
    [0, [0]],
    [4_999, [4_999]],
    [5_000, [5_000, 0]],
    [12_345, [5_000, 5_000, 2_345]],
  ])('%i of them by at most 5,000 at a time, all of them', async (count, expected) => {
    const { remove, taken } = rows(count)
    await removeInPortions(remove)
    expect(taken).toEqual(expected)
  })

  it('with a turn for others after each portion', async () => {
    const { remove, taken } = rows(3 * PORTION)
    const seen: number[] = []
    const look = () => {
      seen.push(taken.length)
      if (taken.length < 3) setImmediate(look)
    }
    setImmediate(look)
    await removeInPortions(remove)
    expect(seen.slice(0, 3)).toEqual([1, 2, 3])
  })

  it('until its signal is aborted', async () => {
    const { remove, taken } = rows(9 * PORTION)
    const stop = new AbortController()
    const cut = removeInPortions(async (limit) => {
      if (taken.length === 1) stop.abort(new Error('cut off'))
      return remove(limit)
    }, stop.signal)
    await expect(cut).rejects.toThrow('cut off')
    expect(taken).toEqual([PORTION, PORTION])
  })
})

import { describe, expect, it } from 'vitest'
import { Batcher, type BatcherOptions } from './batcher.ts'

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve))

/** A batcher of numbers that weigh their value; a group with 13 fails. Waits without limit while items keep coming. */
function collect(options: Partial<BatcherOptions<number>> = {}) {
  const flushed: number[][] = []
  const batcher = new Batcher<number>({
    flush: async (items) => {
      if (items.includes(13)) throw new Error('unlucky')
      flushed.push(items)
    },
    weigh: (item) => item,
    maxWeight: 1_000,
    maxQueued: 2_000,
    waitMs: Number.POSITIVE_INFINITY,
    full: () => new Error('full'),
    ...options,
  })
  return { batcher, flushed }
}

describe('a group', () => {
  it('is flushed as soon as no more items come', async () => {
    const { batcher, flushed } = collect()
    await batcher.add(1)
    await Promise.all([batcher.add(2), batcher.add(3)])
    expect(flushed).toEqual([[1], [2, 3]])
  })
  it('takes in who comes a turn later', async () => {
    const { batcher, flushed } = collect()
    const added = [batcher.add(1)]
    for (const item of [2, 3, 4]) {
      await turn()
      added.push(batcher.add(item))
    }
    await Promise.all(added)
    expect(flushed).toEqual([[1, 2, 3, 4]])
  })
  it('is flushed while others keep coming, at its weight or at its time', async () => {
    for (const bound of [{ maxWeight: 5 }, { waitMs: 0 }]) {
      const { batcher, flushed } = collect(bound)
      const first = batcher.add(1)
      let added = first
      for (let i = 0; flushed.length === 0 && i < 1_000; i++) {
        added = batcher.add(1)
        await turn()
      }
      expect(flushed.length).toBe(1)
      await Promise.all([first, added])
    }
  })
  it('of more than one flush takes is flushed in order, what is too heavy alone', async () => {
    const { batcher, flushed } = collect({ maxWeight: 10 })
    await Promise.all([4, 5, 6, 50, 1].map((item) => batcher.add(item)))
    expect(flushed).toEqual([[4, 5], [6], [50], [1]])
  })
  it('leaves others a turn of the event loop before the next', async () => {
    let turns = 0
    const seen: number[] = []
    const { batcher } = collect({ maxWeight: 10, flush: async () => void seen.push(turns) })
    const count = () => {
      turns++
      next = setImmediate(count)
    }
    let next = setImmediate(count)
    await Promise.all([50, 50, 50].map((item) => batcher.add(item)))
    clearImmediate(next)
    expect(new Set(seen).size).toBe(3)
  })
  it('loses only its bad item', async () => {
    const { batcher, flushed } = collect()
    const results = await Promise.allSettled([1, 13, 2].map((item) => batcher.add(item)))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(flushed).toEqual([[1], [2]])
  })
})

it('flushes as many groups at the same time as it may, and the others after them', async () => {
  const running: { items: number[]; end: () => void }[] = []
  const { batcher } = collect({
    atOnce: 2,
    maxWeight: 10,
    flush: (items) => new Promise((end) => void running.push({ items, end })),
  })
  const added = [8, 9, 7, 2].map((item) => batcher.add(item))
  for (let i = 0; i < 20; i++) await turn()
  expect(running.map(({ items }) => items)).toEqual([[8], [9]])
  added.push(batcher.add(1))
  for (let i = 0; i < 20; i++) await turn()
  expect(running.map(({ items }) => items)).toEqual([[8], [9]])
  running[1]?.end()
  await added[1]
  for (let i = 0; i < 20; i++) await turn()
  expect(running.map(({ items }) => items)).toEqual([[8], [9], [7, 2, 1]])
  for (const { end } of running) end()
  await batcher.close()
  await Promise.all(added)
  expect(batcher.queued).toBe(0)
})

describe('the queue', () => {
  it('refuses what is beyond its bound', async () => {
    const { batcher } = collect({ maxQueued: 10 })
    const first = batcher.add(8)
    await expect(batcher.add(3)).rejects.toThrow('full')
    await first
    expect(batcher.queued).toBe(0)
  })
  it('is flushed by closing', async () => {
    const { batcher, flushed } = collect()
    const added = batcher.add(1)
    await batcher.close()
    expect(flushed).toEqual([[1]])
    await added
  })
})

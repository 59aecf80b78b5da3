/** The batcher at the moment a flush ends: an item that comes at any step of it is flushed, once and in order. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Batcher } from '../../src/lib/concurrency/batcher.ts'
import { soon, ticks } from '../support/ticks.ts'

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve))

function collect() {
  const flushed: number[][] = []
  const batcher = new Batcher<number>({
    flush: async (items) => void flushed.push(items),
    weigh: () => 1,
    maxWeight: 1_000,
    maxQueued: 2_000,
    waitMs: Number.POSITIVE_INFINITY,
    full: () => new Error('full'),
  })
  return { batcher, flushed }
}

/** From before the last check of the queue to long after the flush has ended. */
const STEPS = Array.from({ length: 24 }, (_, steps) => steps)

describe('an item that comes when a flush ends', () => {
  it.each(STEPS)('is flushed, %i steps after the one before', async (steps) => {
    const { batcher, flushed } = collect()
    const add = async (item: number) => {
      await batcher.add(item)
      if (steps > 0) await ticks(steps)
    }
    const inARow = async () => {
      await add(1)
      await add(2)
    }
    await soon(inARow())
    expect(flushed).toEqual([[1], [2]])
    expect(batcher.queued).toBe(0)
  })
  it.each(STEPS)('is flushed by closing too, %i steps after the one before', async (steps) => {
    const { batcher, flushed } = collect()
    const added = batcher.add(1).then(() => ticks(steps).then(() => batcher.add(2)))
    await soon(batcher.close())
    await soon(added)
    await soon(batcher.close())
    expect(flushed.flat()).toEqual([1, 2])
  })
  it('is flushed once and in order, however many senders there are and wherever they pause', async () => {
    const pause = fc.record({ turns: fc.nat(8), steps: fc.nat(16) })
    /** For each sender its items, and how long it pauses after each. */
    const senders = fc.array(
      fc.array(fc.record({ weight: fc.integer({ min: 1, max: 12 }), pause }), { maxLength: 6 }),
      {
        minLength: 1,
        maxLength: 5,
      },
    )
    const flushes = fc.record({ turns: fc.nat(3), steps: fc.nat(5), fails: fc.array(fc.boolean(), { maxLength: 8 }) })
    await fc.assert(
      fc.asyncProperty(senders, flushes, fc.boolean(), async (all, { turns, steps, fails }, closes) => {
        const flushed: string[] = []
        let running = 0
        const batcher = new Batcher<{ name: string; weight: number }>({
          flush: async (items) => {
            expect(++running).toBe(1)
            for (let i = 0; i < turns; i++) await turn()
            await ticks(steps)
            running--
            // Only groups fail, so that each item is stored in the end.
            if (items.length > 1 && fails.pop()) throw new Error('once more, one by one')
            flushed.push(...items.map(({ name }) => name))
          },
          weigh: ({ weight }) => weight,
          maxWeight: 20,
          maxQueued: Number.POSITIVE_INFINITY,
          waitMs: Number.POSITIVE_INFINITY,
          full: () => new Error('full'),
        })
        const send = async (sender: number) => {
          for (const [i, { weight, pause }] of (all[sender] ?? []).entries()) {
            await batcher.add({ name: `${sender}/${i}`, weight })
            for (let n = 0; n < pause.turns; n++) await turn()
            await ticks(pause.steps)
          }
        }
        const sent = Promise.all(all.map((_, sender) => send(sender)))
        if (closes) await soon(batcher.close())
        await soon(sent)
        const names = all.flatMap((items, sender) => items.map((_, i) => `${sender}/${i}`))
        expect([...flushed].sort()).toEqual([...names].sort())
        for (const sender of all.keys()) {
          const own = flushed.filter((name) => name.startsWith(`${sender}/`))
          expect(own).toEqual(names.filter((name) => name.startsWith(`${sender}/`)))
        }
        expect(batcher.queued).toBe(0)
      }),
      { numRuns: 300 },
    )
  })
})

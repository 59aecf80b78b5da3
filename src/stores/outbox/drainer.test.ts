import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AppError } from '../../lib/errors.ts'
import { DAY, HOUR, SECOND } from '../../lib/time/time.ts'
import type { EventStore } from '../../model/events/event.ts'
import type { OutboxBatch } from '../../model/events/outbox.ts'
import { makeBatch } from '../contract/batch-builders.ts'
import { Drainer } from './drainer.ts'
import type { OutboxRows } from './outbox-rows.ts'

/** Batch ids as they were applied: one list per transaction. */
let applied: string[][]
let waiting: OutboxBatch[]
let failures: unknown[]
/** How often batch ids were forgotten. */
let forgot: number
/** How often applied rows were looked after. */
let tidied: number
let apply: EventStore['apply']
let now: number
let steady: number
let drainer: Drainer

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  applied = []
  waiting = []
  failures = []
  forgot = 0
  tidied = 0
  now = 0
  steady = 0
  apply = async (batches) => void applied.push(batches.map((batch) => batch.id))
  const rows: OutboxRows = {
    gathering: { quietMs: 20, longestMs: 200, enough: 500_000, portion: 2_000_000 },
    async take(after) {
      const batches = waiting.filter(({ id }) => id > after).slice(0, 50)
      return { batches, isLast: batches.length < 50 }
    },
    async applied(ids) {
      waiting = waiting.filter((batch) => !ids.includes(batch.id))
    },
    left() {},
    async ended() {},
    async checkRestarts() {},
    async tidy() {
      tidied += 1
    },
  }
  const forgetBatches = async () => void forgot++
  const events = { apply: (...args) => apply(...args), forgetBatches } as Partial<EventStore>
  const failed = (error: unknown) => void failures.push(error)
  drainer = new Drainer({
    rows,
    pending: async () => waiting.map((batch) => batch.id),
    change: () => Promise.reject(new Error('Nothing is parked here.')),
    events: events as EventStore,
    clock: { now: () => now, steady: () => steady },
    failed,
    parked: () => {},
  })
})
afterEach(async () => {
  await drainer.stop()
  vi.useRealTimers()
})

function commit(text = 'text'): string {
  const batch = { ...makeBatch(1), text }
  waiting.push(batch)
  drainer.wake(waiting.reduce((sum, { text }) => sum + text.length, 0))
  return batch.id
}

describe('gathering', () => {
  it('ends when nothing has come for a while', async () => {
    const ids = [commit()]
    await vi.advanceTimersByTimeAsync(15)
    ids.push(commit())
    await vi.advanceTimersByTimeAsync(15)
    expect(applied).toEqual([])
    await vi.advanceTimersByTimeAsync(10)
    expect(applied).toEqual([ids])
  })

  it('ends although more keeps coming', async () => {
    for (let ms = 0; ms < 300; ms += 10) {
      commit()
      await vi.advanceTimersByTimeAsync(10)
    }
    expect(applied).toHaveLength(1)
    expect(applied[0]?.length).toBeGreaterThan(10)
    await vi.advanceTimersByTimeAsync(30)
    expect(applied.flat()).toHaveLength(30)
  })

  it('ends when there is enough', async () => {
    const ids = [commit('x'.repeat(300_000)), commit('x'.repeat(300_000))]
    await vi.advanceTimersByTimeAsync(1)
    expect(applied).toEqual([ids])
  })

  it('starts again with rows that arrive while others are applied', async () => {
    const takes = apply
    let late: string[] = []
    apply = async (...args) => {
      if (late.length === 0) late = [commit(), commit()]
      await takes(...args)
    }
    const first = commit()
    await vi.advanceTimersByTimeAsync(25)
    expect(applied).toEqual([[first]])
    await vi.advanceTimersByTimeAsync(25)
    expect(applied).toEqual([[first], late])
  })

  it('is skipped for a reader that came while rows were applied', async () => {
    const takes = apply
    let read: Promise<void> | undefined
    let late: string | undefined
    apply = async (...args) => {
      if (!read) {
        late = commit()
        read = drainer.caughtUp()
      }
      await takes(...args)
    }
    commit()
    await vi.advanceTimersByTimeAsync(21)
    await vi.advanceTimersByTimeAsync(2)
    await read
    expect(applied.at(-1)).toEqual([late])
  })

  it('ends when a reader waits', async () => {
    const id = commit()
    const read = drainer.caughtUp()
    for (let ms = 0; ms < 10; ms++) {
      drainer.wake(0)
      await vi.advanceTimersByTimeAsync(1)
    }
    await read
    expect(applied).toEqual([[id]])
  })
})

describe('draining', () => {
  it('applies what was there at the start', async () => {
    waiting = [makeBatch(1), makeBatch(2)]
    const ids = waiting.map((batch) => batch.id)
    drainer.start()
    await vi.advanceTimersByTimeAsync(1)
    expect(applied).toEqual([ids])
  })

  it('applies large batches in transactions of their own, small ones together', async () => {
    const [a, b, c, d] = [1_500_000, 600_000, 600_000, 5_000_000].map((size) => commit('x'.repeat(size)))
    await vi.advanceTimersByTimeAsync(30)
    expect(applied).toEqual([[a], [b, c], [d]])
    expect(waiting).toEqual([])
  })

  it('retries what the event store did not accept, and readers wait meanwhile', async () => {
    const takes = apply
    apply = () => Promise.reject(new Error('full'))
    const id = commit()
    await vi.advanceTimersByTimeAsync(30)
    expect([failures.length, waiting.length]).toEqual([1, 1])
    apply = takes
    const read = drainer.caughtUp()
    await vi.advanceTimersByTimeAsync(900)
    expect(applied).toEqual([])
    await vi.advanceTimersByTimeAsync(200)
    await read
    expect(applied).toEqual([[id]])
  })

  it('waits twice as long after each failure, up to 30 s, and anew from a second after a success', async () => {
    const takes = apply
    apply = () => Promise.reject(new Error('full'))
    commit()
    await vi.advanceTimersByTimeAsync(30)
    for (const seconds of [1, 2, 4, 8, 16, 30, 30]) {
      const before = failures.length
      await vi.advanceTimersByTimeAsync(seconds * SECOND - 20)
      expect(failures.length).toBe(before)
      await vi.advanceTimersByTimeAsync(20)
      expect(failures.length).toBe(before + 1)
    }
    apply = takes
    await vi.advanceTimersByTimeAsync(30 * SECOND)
    expect(waiting).toEqual([])
    apply = () => Promise.reject(new Error('full'))
    commit()
    await vi.advanceTimersByTimeAsync(30)
    const before = failures.length
    await vi.advanceTimersByTimeAsync(SECOND)
    expect(failures.length).toBe(before + 1)
  })

  it('forgets batch ids after a pass over all rows, not after one that a stop cut short', async () => {
    const takes = apply
    let stopped: Promise<void> | undefined
    apply = async (...args) => {
      await takes(...args)
      stopped = drainer.stop()
    }
    const first = commit('x'.repeat(1_500_000))
    commit('x'.repeat(1_500_000))
    await vi.advanceTimersByTimeAsync(30)
    await stopped
    expect([applied, waiting.length, forgot]).toEqual([[[first]], 1, 0])
  })

  it('looks after applied rows, also when none wait, but not all the time', async () => {
    drainer.start()
    await vi.advanceTimersByTimeAsync(1)
    expect(tidied).toBe(1)
    await vi.advanceTimersByTimeAsync(3 * SECOND)
    expect(tidied).toBe(1)
    steady += 5 * SECOND
    await vi.advanceTimersByTimeAsync(2 * SECOND)
    expect(tidied).toBe(2)
  })

  it('forgets batch ids when no row is left', async () => {
    commit()
    await vi.advanceTimersByTimeAsync(30)
    expect([waiting.length, forgot]).toEqual([0, 1])
  })

  it('forgets no batch ids while a row is refused: its parts may be recognized by them', async () => {
    const takes = apply
    apply = () => Promise.reject(new AppError('unprocessable', 'refused_rows', 'no'))
    commit()
    await vi.advanceTimersByTimeAsync(30)
    expect([failures.length, waiting.length, forgot]).toEqual([1, 1, 0])
    apply = takes
    await vi.advanceTimersByTimeAsync(1_100)
    expect([waiting.length, forgot]).toEqual([0, 1])
  })

  it.each([40 * DAY, -40 * DAY])(
    'forgets none by a clock that has jumped by %i ms, until the next hour',
    async (by) => {
      const pass = async () => {
        commit()
        await vi.advanceTimersByTimeAsync(30)
        expect(waiting).toEqual([])
      }
      now += by
      await pass()
      expect(forgot).toBe(0)
      now += HOUR
      steady += HOUR
      await pass()
      expect(forgot).toBe(1)
    },
  )
})

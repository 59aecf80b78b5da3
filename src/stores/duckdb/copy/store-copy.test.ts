import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { EmbeddedEventStore } from '../../../model/events/store-copy.ts'
import { makeBatch, makeEvent, makePerson, NOON } from '../../contract/batch-builders.ts'
import { countEvents } from '../../contract/count-events.ts'
import { openDuckdbEvents } from '../events.ts'
import { LIMITS } from '../progress.ts'

/** Small, so that every table of the store has rows. */
const SMALL = { ...LIMITS, pieceEvents: 200, runEvents: 1_000, foldRows: 300 }
const BATCHES = 30
const EVENTS = 100

let folder: string
let store: EmbeddedEventStore
const copy = () => join(folder, 'copy.duckdb')
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hedgerow-copy-'))
  store = await openDuckdbEvents(join(folder, 'events.duckdb'), SMALL)
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const batchOf = (seq: number) =>
  makeBatch(seq, {
    events: Array.from({ length: EVENTS }, (_, i) =>
      makeEvent(1, {
        distinctId: `person-${i % 20}`,
        timestamp: NOON + seq * EVENTS + i,
        properties: { n: i, text: 'x'.repeat(i === 0 ? 40_000 : i) },
      }),
    ),
    persons: [makePerson(1, { personId: seq })],
    distinctIds: [{ projectId: 1, distinctId: `person-${seq % 20}`, personId: seq }],
  })

const fill = async (from: number, to: number) => {
  for (let seq = from; seq <= to; seq++) await store.apply([batchOf(seq)], NOON)
}

async function timestampsIn(opened: EmbeddedEventStore): Promise<number[]> {
  const found: number[] = []
  for (let i = 0; i < 20; i++) {
    const query = { projectId: 1, distinctIds: [`person-${i}`], events: null, from: -Infinity, to: Infinity }
    found.push(...(await opened.timeline(query)).map(({ timestamp }) => timestamp))
  }
  return found.sort((a, b) => a - b)
}

async function inCopy<T>(work: (opened: EmbeddedEventStore) => Promise<T>): Promise<T> {
  const opened = await openDuckdbEvents(copy(), SMALL)
  try {
    return await work(opened)
  } finally {
    await opened.close()
  }
}

const expected = (batches: number) => Array.from({ length: batches * EVENTS }, (_, i) => NOON + EVENTS + i)

describe('a copy of the event store', () => {
  it('has all up to the moment at which writes were held, and nothing later', async () => {
    await fill(1, BATCHES)
    await store.beginCopy(copy())
    // Waits until the moment is fixed, and for nothing else.
    const later = fill(BATCHES + 1, BATCHES + 5)
    const rows = await store.finishCopy()
    await later
    expect(rows).toMatchObject({ events: BATCHES * EVENTS, batches: BATCHES })
    expect(await timestampsIn(store)).toEqual(expected(BATCHES + 5))
    await inCopy(async (opened) => {
      expect(await timestampsIn(opened)).toEqual(expected(BATCHES))
      expect(await opened.highestSeq()).toBe(BATCHES)
      // Batches that are in it already are not applied again.
      await opened.apply([batchOf(BATCHES + 1)], NOON)
      expect(await countEvents(opened, 1)).toBe((BATCHES + 1) * EVENTS)
    })
  })

  it('has what was written while most of it was copied', async () => {
    await fill(1, BATCHES)
    const begun = store.beginCopy(copy())
    await Promise.all([begun, fill(BATCHES + 1, BATCHES + 3).catch(() => undefined), finishSoon(begun)])
    const applied = await inCopy((opened) => opened.highestSeq())
    expect(applied).toBeGreaterThanOrEqual(BATCHES)
    expect(await inCopy(timestampsIn)).toEqual(expected(applied))
  })

  it('has nothing of rows that are removed while it is made, and waits for a rewrite', async () => {
    await fill(1, BATCHES)
    const request = { id: 1, projectId: 1, personId: 1, distinctIds: ['person-3'], cutoffSeq: BATCHES }
    const begun = store.beginCopy(copy())
    const erased = store.erase([request])
    const compacted = erased.then(() => store.compact())
    const rows = await finishSoon(begun)
    expect(await erased).toEqual([{ id: 1, events: (BATCHES * EVENTS) / 20, sessions: 0 }])
    expect(await compacted).not.toBeNull()
    const left = await inCopy((opened) => countEvents(opened, 1))
    expect(left).toBe(rows.events)
    // Erased before the moment of the copy, or wholly after it.
    expect([BATCHES * EVENTS, BATCHES * EVENTS * 0.95]).toContain(left)
    expect(await countEvents(store, 1)).toBe(BATCHES * EVENTS * 0.95)
  })

  it('can be abandoned, and leaves nothing behind', async () => {
    await fill(1, 3)
    await store.dropCopy()
    await store.beginCopy(copy())
    await store.dropCopy()
    await fill(4, 4)
    expect(existsSync(copy())).toBe(false)
    await expect(store.finishCopy()).rejects.toThrow('No copy')
    const stop = new AbortController()
    stop.abort()
    await expect(store.beginCopy(copy(), stop.signal)).rejects.toThrow()
    expect([existsSync(copy()), existsSync(`${copy()}.wal`)]).toEqual([false, false])
    await store.beginCopy(copy())
    expect(await store.finishCopy()).toMatchObject({ events: 4 * EVENTS })
  })
})

async function finishSoon(begun: Promise<void>) {
  await begun
  return store.finishCopy()
}

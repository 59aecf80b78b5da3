import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { EventStore } from '../../model/events/event.ts'
import { ANY_EVENT, applyEvents, applySession, NOON } from '../contract/batch-builders.ts'
import { readsOf } from '../contract/event-reads.ts'
import { openDuckdbEvents } from './events.ts'
import { openEventsThread } from './events-thread.ts'
import { LIMITS } from './progress.ts'

const folder = mkdtempSync(join(tmpdir(), 'hedgerow-deadline-'))
let store: EventStore
afterEach(() => store.close())
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const timeout = { kind: 'timeout', code: 'timeout', message: 'This took longer than 0 seconds. Narrow the request.' }

describe('the deadline of a read', () => {
  it('applies to every list, count and look-up, and to no walk and no insight', async () => {
    store = await openDuckdbEvents(':memory:', { ...LIMITS, readMs: 0 })
    const here = { store, projectId: 1 }
    const sessionId = await applySession(here, [{ properties: { $current_url: 'https://a.example/' } }])
    for (const [name, read] of Object.entries(readsOf(store, { ...here, sessionId }))) {
      await expect(read(), name).rejects.toMatchObject(timeout)
    }
    expect((await store.listEvents(1, {}, { limit: 10, isWalk: true })).events).toHaveLength(1)
    const edges = [NOON, NOON + 1_000_000]
    const trend = { projectId: 1, selector: ANY_EVENT, edges, measure: { kind: 'events' } as const, breakdown: null }
    expect(await store.trend(trend)).toEqual([{ breakdown: null, values: [1] }])
    await expect(store.ping()).resolves.toBeUndefined()
  })

  it('interrupts a search of many events in the store’s own thread, and the next read is answered', async () => {
    store = await openEventsThread({ path: join(folder, 'events.duckdb'), readMs: 20 })
    const here = { store, projectId: 1 }
    // Each pattern is matched against texts of 8,000 characters, 6,000 times.
    const text = 'ab'.repeat(4_000)
    for (let seq = 1; seq <= 3; seq++) {
      await applyEvents(
        here,
        Array.from({ length: 2_000 }, () => ({ properties: { text } })),
        seq,
      )
    }
    const value = '(a|b)*(a|b)*(a|b)*c[0-9]{1,200}'
    const properties = {
      join: 'OR' as const,
      of: Array.from({ length: 20 }, () => ({ key: 'text', operator: 'regex' as const, value })),
    }
    await expect(store.listEvents(1, { properties }, { limit: 10 })).rejects.toMatchObject(timeout)
    const walk = await store.listEvents(1, {}, { limit: 10, isWalk: true })
    expect(walk.events).toHaveLength(10)
  })
})

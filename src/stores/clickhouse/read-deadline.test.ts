import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newClickhouse, noClickhouse, type TestClickhouse } from '../../../test/support/clickhouse/databases.ts'
import type { EventStore } from '../../model/events/event.ts'
import { ANY_EVENT, applySession, NOON } from '../contract/batch-builders.ts'
import { readsOf } from '../contract/event-reads.ts'
import { openClickhouseEvents } from './events.ts'
import { LIMITS } from './parts.ts'

const late = { kind: 'timeout', code: 'timeout', message: 'This took longer than 0 seconds. Narrow the request.' }

describe.skipIf(noClickhouse)('the deadline of a read', () => {
  let database: TestClickhouse
  let store: EventStore
  beforeAll(async () => {
    database = await newClickhouse()
    store = await openClickhouseEvents(database.url, { ...LIMITS, readMs: 0 })
  })
  afterAll(async () => {
    await store.close()
    await database.drop()
  })

  it('applies to every list, count and look-up, and to no walk and no insight', async () => {
    const here = { store, projectId: 1 }
    const sessionId = await applySession(here, [{ properties: { $current_url: 'https://a.example/' } }])
    for (const [name, read] of Object.entries(readsOf(store, { ...here, sessionId }))) {
      await expect(read(), name).rejects.toMatchObject(late)
    }
    expect((await store.listEvents(1, {}, { limit: 10, isWalk: true })).events).toHaveLength(1)
    const edges = [NOON, NOON + 1_000_000]
    const trend = { projectId: 1, selector: ANY_EVENT, edges, measure: { kind: 'events' } as const, breakdown: null }
    expect(await store.trend(trend)).toEqual([{ breakdown: null, values: [1] }])
    await expect(store.ping()).resolves.toBeUndefined()
  })
})

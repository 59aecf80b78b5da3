/** Removing while batches are parked and retried, on real stores: nothing is missed. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeParked, parkedEvent } from '../../../test/support/data-folder/parked.ts'
import type { EventStore } from '../../model/events/event.ts'
import type { ParkedText } from '../../model/events/outbox.ts'
import type { SqlStores } from '../../model/stores.ts'
import { countEvents } from '../contract/count-events.ts'
import { openDuckdbEvents } from '../duckdb/events.ts'
import { type OpenSql, openSql } from '../open.ts'
import { ownRows } from './outbox-rows.ts'
import { removeParkedToo } from './parked-removal.ts'
import { Relay } from './relay.ts'

const clock = { now: () => 1, steady: () => 1 }
const REQUEST = { id: 1, projectId: 1, personId: 5, distinctIds: ['ann'], cutoffSeq: 1_000 }

let dataDir: string
let sql: OpenSql
let events: EventStore
/** Unreadable batches that were dropped. */
let dropped: ParkedText[]
const onDropped = (batch: ParkedText) => void dropped.push(batch)
beforeEach(async () => {
  dropped = []
  dataDir = mkdtempSync(join(tmpdir(), 'hedgerow-parked-'))
  sql = await openSql({ dataDir, sqlUrl: null, eventsUrl: null, blobsUrl: null })
  events = await openDuckdbEvents(':memory:')
})
afterEach(async () => {
  await events.close()
  await sql.close()
  rmSync(dataDir, { recursive: true, force: true })
})

/** The event store applies the outbox. */
async function drain(): Promise<void> {
  const { stores } = sql
  const relay = new Relay({
    rows: ownRows(stores),
    change: (work) => stores.transaction((tx) => work(tx.outbox)),
    events,
    clock,
    gone: () => {},
    parked: () => {},
  })
  await relay.run(new AbortController().signal)
}

type Removing = Pick<EventStore, 'erase' | 'removeBefore' | 'removeProject'>

/** The event store with something happening before and after the first removal; counts the removals. */
function disturbed(before: () => Promise<unknown>, after: () => Promise<unknown>) {
  const calls: string[] = []
  const around = async <T>(name: string, remove: () => Promise<T>): Promise<T> => {
    calls.push(name)
    const isFirst = calls.length === 1
    if (isFirst) await before()
    await drain()
    const result = await remove()
    if (isFirst) await after()
    return result
  }
  const store: Removing = {
    erase: (requests) => around('erase', () => events.erase(requests)),
    removeBefore: (id, instant) => around('removeBefore', () => events.removeBefore(id, instant)),
    removeProject: (id) => around('removeProject', () => events.removeProject(id)),
  }
  return { calls, store: removeParkedToo({ ...events, ...store }, sql.stores, onDropped) }
}

const park = () => makeParked({ stores: sql.stores, clock }, { events: [parkedEvent('ann'), parkedEvent('ann')] })
const unpark = (id: string) => sql.stores.transaction((tx) => tx.outbox.unpark(id, 1))
const nothing = async () => {}

const REMOVALS: [string, (store: EventStore) => Promise<unknown>][] = [
  ['erase', (store) => store.erase([REQUEST])],
  ['removeBefore', (store) => store.removeBefore(1, 10)],
  ['removeProject', (store) => store.removeProject(1)],
]

const left = async () => {
  for (const { id } of (await sql.stores.outbox.parked({ limit: 10, offset: 0 })).items) await unpark(id)
  await drain()
  return countEvents(events, 1)
}

it.each(REMOVALS)('%s runs once when nothing moves', async (name, remove) => {
  await park()
  const { calls, store } = disturbed(nothing, nothing)
  await remove(store)
  expect([calls, await left()]).toEqual([[name], 0])
})

it.each(REMOVALS)('%s runs again when a batch is parked meanwhile', async (name, remove) => {
  const { calls, store } = disturbed(park, nothing)
  await remove(store)
  expect([calls, await left()]).toEqual([[name, name], 0])
})

it.each(REMOVALS)('%s runs again when a batch was parked and retried meanwhile', async (name, remove) => {
  let id = ''
  const { calls, store } = disturbed(
    async () => {
      id = await park()
    },
    () => unpark(id),
  )
  await remove(store)
  expect([calls, await left()]).toEqual([[name, name], 0])
})

describe('an unreadable batch', () => {
  const host = () => ({ stores: sql.stores, clock })
  const parkAll = async () => ({
    own: await makeParked(host(), { unreadable: true, projectId: 1 }),
    unknown: await makeParked(host(), { unreadable: true }),
    other: await makeParked(host(), { unreadable: true, projectId: 2 }),
  })
  const parkedIds = async () => (await sql.stores.outbox.parked({ limit: 10, offset: 0 })).items.map(({ id }) => id)

  it.each([
    ['erase', (store: EventStore) => store.erase([REQUEST, { ...REQUEST, id: 2, projectId: 2, cutoffSeq: 1 }])],
    ['removeProject', (store: EventStore) => store.removeProject(1)],
  ])('goes with %s when it may be of that project, and that is reported', async (_, remove) => {
    const { own, unknown, other } = await parkAll()
    await remove(removeParkedToo(events, sql.stores, onDropped))
    expect(await parkedIds()).toEqual([other])
    expect(dropped).toMatchObject([
      { id: own, projectId: 1 },
      { id: unknown, projectId: null },
    ])
  })

  it('stays when only old events are removed, or the request is older than it', async () => {
    await parkAll()
    const store = removeParkedToo(events, sql.stores, onDropped)
    await store.removeBefore(1, 10)
    await store.erase([{ ...REQUEST, cutoffSeq: 0 }])
    expect([(await parkedIds()).length, dropped]).toEqual([3, []])
  })

  it('is not reported when it was not removed after all', async () => {
    await parkAll()
    const failing: SqlStores = {
      ...sql.stores,
      transaction: (work) =>
        sql.stores.transaction(async (tx) => {
          await work(tx)
          throw new Error('no commit')
        }),
    }
    await expect(removeParkedToo(events, failing, onDropped).removeProject(1)).rejects.toThrow('no commit')
    expect([(await parkedIds()).length, dropped]).toEqual([3, []])
  })
})

it('gives up when they never stop moving', async () => {
  const restless: EventStore = { ...events, erase: () => park().then(() => []) }
  await expect(removeParkedToo(restless, sql.stores, onDropped).erase([REQUEST])).rejects.toMatchObject({
    kind: 'unavailable',
  })
})

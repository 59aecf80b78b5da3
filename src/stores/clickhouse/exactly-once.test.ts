/** Whatever happens to requests, answers and servers: every event is stored, and once. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { newClickhouse, noClickhouse } from '../../../test/support/clickhouse/databases.ts'
import { misbehave, startLossyProxy } from '../../../test/support/clickhouse/lossy-proxy.ts'
import { ask, type ClickhouseAccess, clickhouseUrl, startClickhouse } from '../../../test/support/clickhouse/server.ts'
import { type Draining, drainOutbox } from '../../../test/support/stores/drain-outbox.ts'
import { uuidV7 } from '../../lib/ids.ts'
import { DAY, MINUTE } from '../../lib/time/time.ts'
import type { EventStore } from '../../model/events/event.ts'
import type { OutboxBatch } from '../../model/events/outbox.ts'
import { makeEvent, makePerson, NOON, toProjection } from '../contract/batch-builders.ts'
import { type OpenSql, openSql } from '../open.ts'
import { claimedRows } from '../outbox/outbox-rows.ts'
import { openClickhouseEvents } from './events.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

let now = NOON
const clock = { now: () => now, steady: () => now }

async function openOutbox(): Promise<OpenSql> {
  const dataDir = mkdtempSync(join(tmpdir(), 'hedgerow-once-'))
  const sql = await openSql({ dataDir, sqlUrl: null, eventsUrl: null, blobsUrl: null })
  ends.push(async () => {
    await sql.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  return sql
}

async function open(url: string): Promise<EventStore> {
  const events = await openClickhouseEvents(url)
  ends.push(() => events.close())
  return events
}

/** Batches of some events each, of many days and people. */
async function fill(sql: OpenSql, batches: number, events: number): Promise<void> {
  for (let number = 0; number < batches; number++) {
    await sql.stores.transaction(async (tx) => {
      const seq = await tx.outbox.nextSeq()
      const rows = Array.from({ length: events }, (_, i) =>
        makeEvent(1, {
          distinctId: `id-${(number * 7 + i) % 50}`,
          timestamp: NOON - ((number * 31 + i * 5) % 400) * DAY,
        }),
      )
      const persons = [toProjection(makePerson(1, { personId: number + 1 }))]
      const distinctIds = [{ projectId: 1, distinctId: `id-${number % 50}`, personId: number + 1 }]
      await tx.outbox.add({ id: uuidV7(now), seq, events: rows, persons, distinctIds }, now)
    })
  }
}

/** Until nothing waits; time goes by after each failure. Returns how many passes failed. */
const drain = (sql: OpenSql, events: EventStore, more: Pick<Draining, 'rows' | 'parked'> = {}): Promise<number> =>
  drainOutbox(sql, events, {
    ...more,
    clock,
    async passed(hasFailed) {
      if (hasFailed) now += 2_000
      else await sleep(5)
    },
  })

/** Two shards with a database, and before each a proxy that may misbehave. */
async function behindProxies() {
  const servers = await newClickhouse()
  ends.push(() => servers.drop())
  const proxies = await Promise.all(servers.nodes.map(startLossyProxy))
  for (const proxy of proxies) ends.push(() => proxy.stop())
  return { servers, proxies, url: clickhouseUrl({ ...servers, nodes: proxies }, servers.database) }
}

/** How many there are, and how many different ones. */
async function stored(access: ClickhouseAccess, database: string, table: string): Promise<[number, number]> {
  const [node] = access.nodes
  if (!node) throw new Error('There is no node.')
  const text = await ask(node, access, `SELECT count(), uniqExact(uuid) FROM ${database}.${table}`)
  return text.trim().split('\t').map(Number) as [number, number]
}

it.skipIf(noClickhouse)('stores everything once, though requests and answers are lost', async () => {
  const { servers, proxies, url } = await behindProxies()
  const sql = await openOutbox()
  const events = await open(url)
  await fill(sql, 120, 40)
  misbehave(proxies, 1, 24)
  const failed = await drain(sql, events)
  expect(failed).toBeGreaterThan(0)
  expect(await stored(servers, servers.database, 'events')).toEqual([4_800, 4_800])
  expect(await stored(servers, servers.database, 'moments')).toEqual([4_800, 4_800])
})

it.skipIf(noClickhouse)('stores everything once, though two processes apply at the same time', async () => {
  const { servers, proxies, url } = await behindProxies()
  const sql = await openOutbox()
  const stores = [await open(url), await open(url)]
  await fill(sql, 150, 20)
  misbehave(proxies, 1, 24)
  await Promise.all(stores.map((events) => drain(sql, events)))
  expect(await stored(servers, servers.database, 'events')).toEqual([3_000, 3_000])
  expect(await stored(servers, servers.database, 'moments')).toEqual([3_000, 3_000])
})

it.skipIf(noClickhouse)(
  'stores everything once, though one of very many events is refused when others are stored',
  async () => {
    const servers = await newClickhouse()
    ends.push(() => servers.drop())
    const sql = await openOutbox()
    const events = await open(servers.url)
    await fill(sql, 2, 15_000)
    await sql.stores.transaction(async (tx) => {
      const rows = [makeEvent(1), makeEvent(1, { uuid: 'no uuid', timestamp: NOON - 4_000 * DAY })]
      const batch = { id: uuidV7(now), seq: await tx.outbox.nextSeq(), events: rows, persons: [], distinctIds: [] }
      await tx.outbox.add(batch, now)
    })
    const parked: number[] = []
    await drain(sql, events, { parked: (batches) => parked.push(batches) })
    expect(parked).toEqual([1])
    expect(await stored(servers, servers.database, 'events')).toEqual([30_001, 30_001])
    expect(await stored(servers, servers.database, 'moments')).toEqual([30_001, 30_001])
  },
)

it.skipIf(noClickhouse)('stores nothing of rows that another has taken over while it stood still', async () => {
  const servers = await newClickhouse()
  ends.push(() => servers.drop())
  const sql = await openOutbox()
  const events = await open(servers.url)
  /** From its so manieth insert on it stands still, until another one has applied everything. */
  async function standStill(from: number, batches: OutboxBatch[]): Promise<void> {
    let looks = 0
    let others: Promise<unknown> | undefined
    const applyAll = () => {
      now += MINUTE
      return drain(sql, events)
    }
    const late = batches.map((batch) => ({
      ...batch,
      async hold() {
        looks += 1
        if (looks >= from) {
          others ??= applyAll()
          await others
        }
        await batch.hold?.()
      },
    }))
    await expect(events.apply(late, now)).rejects.toThrow('has taken over')
  }
  for (const [round, from] of [1, 2, 3, 4, 5].entries()) {
    await fill(sql, 10, 30)
    const rows = claimedRows(sql.stores, events, clock)
    const { batches } = await rows.take('')
    expect(batches).toHaveLength(10)
    await standStill(from, batches)
    await rows.ended()
    const all = (round + 1) * 300
    expect(await stored(servers, servers.database, 'events')).toEqual([all, all])
    expect(await stored(servers, servers.database, 'moments')).toEqual([all, all])
  }
})

it.skipIf(noClickhouse)(
  'stores everything once, though servers are killed, and again what one of them has lost',
  async () => {
    const servers = await startClickhouse({ shards: 2 })
    ends.push(() => servers.close())
    const database = await servers.createDatabase()
    const sql = await openOutbox()
    const events = await open(clickhouseUrl(servers, database))
    const rows = claimedRows(sql.stores, events, clock)
    await fill(sql, 20, 300)
    let isDone = false
    const killing = (async () => {
      for (let turn = 0; !isDone; turn++) {
        const node = servers.nodes[turn % 2]
        await new Promise((resolve) => setTimeout(resolve, 400))
        await node?.kill()
        await node?.start()
      }
    })()
    await drain(sql, events, { rows })
    isDone = true
    await killing
    expect(await stored(servers, database, 'events')).toEqual([6_000, 6_000])

    // As after the crash of a machine: what was not on its disk is not there any more.
    await rows.tidy()
    await drain(sql, events, { rows })
    const [first] = servers.nodes
    if (!first) throw new Error('There is no node.')
    await ask(first, servers, `TRUNCATE TABLE ${database}.events_local`)
    expect((await stored(servers, database, 'events'))[0]).toBeLessThan(6_000)
    await first.kill()
    await first.start()
    await rows.tidy()
    expect((await sql.stores.outbox.pending()).length).toBeGreaterThan(0)
    await drain(sql, events, { rows })
    expect(await stored(servers, database, 'events')).toEqual([6_000, 6_000])
    expect(await stored(servers, database, 'moments')).toEqual([6_000, 6_000])
  },
)

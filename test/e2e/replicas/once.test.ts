/** Whatever happens to requests, answers and replicas: every event is stored on both of them, and once. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { uuidV7 } from '../../../src/lib/ids.ts'
import type { EventStore } from '../../../src/model/events/event.ts'
import { openClickhouseEvents } from '../../../src/stores/clickhouse/events.ts'
import { makeEvent, NOON } from '../../../src/stores/contract/batch-builders.ts'
import { type OpenSql, openSql } from '../../../src/stores/open.ts'
import { misbehave, startLossyProxy } from '../../support/clickhouse/lossy-proxy.ts'
import { noReplicas, type Replicated, startReplicated } from '../../support/clickhouse/replicated.ts'
import { clickhouseUrl } from '../../support/clickhouse/server.ts'
import { drainOutbox } from '../../support/stores/drain-outbox.ts'

const MINUTES = 3 * 60_000
const BATCHES = 40
const EVENTS = 50

let world: Replicated
let now = NOON
let projects = 0
const clock = { now: () => now, steady: () => now }
const ends: (() => Promise<unknown>)[] = []

/** An outbox with batches of events of many ids. */
async function fill(projectId: number): Promise<OpenSql> {
  const dataDir = mkdtempSync(join(tmpdir(), 'hedgerow-replicas-'))
  const sql = await openSql({ dataDir, sqlUrl: null, eventsUrl: null, blobsUrl: null })
  ends.push(async () => {
    await sql.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  for (let number = 0; number < BATCHES; number++) {
    await sql.stores.transaction(async (tx) => {
      const seq = await tx.outbox.nextSeq()
      const events = Array.from({ length: EVENTS }, (_, i) =>
        makeEvent(projectId, { distinctId: `id-${number}-${i}`, timestamp: NOON - i, personId: null }),
      )
      await tx.outbox.add({ id: uuidV7(now), seq, events, persons: [], distinctIds: [] }, now)
    })
  }
  return sql
}

/** Until nothing waits; time goes by after each pass. */
const drain = (sql: OpenSql, events: EventStore): Promise<number> =>
  drainOutbox(sql, events, {
    clock,
    passed() {
      now += 2_000
    },
  })

async function open(url: string): Promise<EventStore> {
  const events = await openClickhouseEvents(url)
  ends.push(() => events.close())
  return events
}

async function expectOnce(projectId: number): Promise<void> {
  for (const table of ['events', 'moments']) {
    const sql = `SELECT count(), uniqExact(uuid) FROM ${table}_local WHERE project_id = ${projectId}`
    // Of the first replica of each shard, and of the second.
    const sums = async () => {
      const found = (await world.ask(sql)).map((answer) => answer.split('\t').map(Number))
      return [0, 1].map((place) =>
        [0, 1].map((column) => (found[place]?.[column] ?? 0) + (found[place + 2]?.[column] ?? 0)),
      )
    }
    const all = BATCHES * EVENTS
    await expect.poll(sums, { timeout: MINUTES }).toEqual([
      [all, all],
      [all, all],
    ])
  }
}

describe.skipIf(noReplicas)('an outbox before replicas', { timeout: MINUTES }, () => {
  beforeAll(async () => {
    world = await startReplicated()
  }, MINUTES)
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })
  afterAll(() => world.servers.close(), MINUTES)

  it('is stored once, though requests and answers are lost', async () => {
    const { servers, database } = world
    const proxies = await Promise.all(servers.nodes.map(startLossyProxy))
    for (const proxy of proxies) ends.push(() => proxy.stop())
    const sql = await fill(++projects)
    const url = clickhouseUrl({ ...servers, nodes: proxies }, database)
    const events = await open(url)
    misbehave(proxies, 7, 12)
    expect(await drain(sql, events)).toBeGreaterThan(0)
    await expectOnce(projects)
  })

  it('is stored once, though a replica is killed meanwhile and stays away', async () => {
    for (const [place, node] of world.servers.nodes.entries()) {
      const sql = await fill(++projects)
      const events = await open(world.url(place))
      const draining = drain(sql, events)
      await node.kill()
      await draining
      await node.start()
      await expectOnce(projects)
    }
  })
})

/** Batches of the outbox, applied by the store; and the same rows, written before, inserted by the plain client. */
import { uuidV7 } from '../../src/lib/ids.ts'
import { systemClock } from '../../src/lib/time/clock.ts'
import type { OutboxBatch } from '../../src/model/events/outbox.ts'
import { EVENT_COLUMNS, writeEvents } from '../../src/stores/clickhouse/rows/event-rows.ts'
import { TABLES } from '../../src/stores/clickhouse/tables.ts'
import { readContent, writeContent } from '../../src/stores/outbox/batch-text.ts'
import { pageview } from '../batches.ts'
import type { ScaleWorld } from './world.ts'

/** Another than is read. */
const PROJECT = 2
/** With so many events an insert is as large as the store makes any. */
const BATCHES = 40
const EVENTS = 2_500
const VISITORS = 5_000

let seq = 10

function batchOf(): OutboxBatch {
  seq += 1
  const now = systemClock.now()
  const events = Array.from({ length: EVENTS }, (_, n) => {
    const { event, distinct_id: distinctId, properties } = pageview(n, `visitor-${(seq * 31 + n) % VISITORS}`)
    const person = Number(distinctId.slice('visitor-'.length)) + 1
    return {
      projectId: PROJECT,
      uuid: uuidV7(now),
      event,
      distinctId,
      timestamp: now - n,
      sessionId: null,
      properties,
      personId: person,
    }
  })
  const id = uuidV7(now)
  return {
    id,
    seq,
    text: writeContent({ events, persons: [], distinctIds: [] }),
    claim: { shipment: id, attempt: 1, sentAt: null },
  }
}

/** A table as the store's own, for rows that are only inserted. */
const RAW = 'raw_events'

export async function makeRawTable({ parts: { servers } }: ScaleWorld): Promise<void> {
  const { columns, engine, partition, order, shard } = TABLES.events
  const { cluster, database } = servers.address
  await servers.onEach(
    `CREATE TABLE ${RAW}_local (${columns}) ENGINE = ${engine} PARTITION BY ${partition} ORDER BY (${order})`,
  )
  await servers.onEach(
    `CREATE TABLE ${RAW} (${columns}) ENGINE = Distributed(${cluster}, ${database}, ${RAW}_local, ${shard})`,
  )
}

const perSecond = (since: number): number => (BATCHES * EVENTS) / ((performance.now() - since) / 1_000)

/** Events per second, of the store and of the plain insert. */
export async function ingestRound({ parts, store }: ScaleWorld): Promise<[ours: number, theirs: number]> {
  const batches = Array.from({ length: BATCHES }, batchOf)
  const now = systemClock.now()
  const rows = batches.flatMap((batch) =>
    readContent(batch.text).events.map((event, place) => ({ event, seq: batch.seq, place })),
  )
  const { events, done } = writeEvents(rows, now)
  await done
  const begun = performance.now()
  await store.apply(batches, now)
  const ours = perSecond(begun)
  const since = performance.now()
  await parts.servers.insert(RAW, EVENT_COLUMNS, events)
  return [ours, perSecond(since)]
}

/** Both have the same number of rows. */
export async function checkIngested({ parts: { servers } }: ScaleWorld): Promise<void> {
  const count = async (table: string) =>
    Number((await servers.rows(`SELECT count() FROM ${table} WHERE project_id = ${PROJECT}`))[0]?.[0])
  const [ours, theirs] = [await count('events'), await count(RAW)]
  if (ours !== theirs) throw new Error(`The store has ${ours} events, and the plain table ${theirs}.`)
}

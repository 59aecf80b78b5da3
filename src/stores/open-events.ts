/** The event store that the settings name: in the data folder, or on ClickHouse. */
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import type { Config } from '../config.ts'
import { endUnused } from '../lib/concurrency/worker-thread.ts'
import type { Clock } from '../lib/time/clock.ts'
import { READ_LIMIT_MS } from '../lib/time/deadline.ts'
import type { EventStore } from '../model/events/event.ts'
import type { Copying } from '../model/events/store-copy.ts'
import type { SqlStores } from '../model/stores.ts'
import { openClickhouseEvents } from './clickhouse/events.ts'
import { LIMITS } from './clickhouse/parts.ts'
import { STORE_NAMES } from './data-folder.ts'
import { openEventsThread } from './duckdb/events-thread.ts'
import { claimedRows, type OutboxRows, ownRows, removeAppliedToo } from './outbox/outbox-rows.ts'
import type { PresenceParts } from './presence-parts.ts'

interface EventsParts {
  clock: Clock
  readMs?: number | undefined
  presence?: PresenceParts | undefined
  /** Has begun to load the embedded store's thread. */
  worker?: Worker | undefined
}

export interface OpenEvents {
  events: EventStore
  /** How the outbox is emptied into it. */
  rows: OutboxRows
  /** Null: copies are made in another way. */
  copying: Copying | null
}

type EventsConfig = Pick<Config, 'dataDir' | 'eventsUrl' | 'eventsMemory'>

async function openEmbedded({ dataDir, eventsMemory: memory }: EventsConfig, sql: SqlStores, parts: EventsParts) {
  const path = join(dataDir, STORE_NAMES.events)
  const events = await openEventsThread({ path, readMs: parts.readMs, memory }, parts.worker)
  return { events, rows: ownRows(sql), copying: events }
}

export async function openEvents(config: EventsConfig, sql: SqlStores, parts: EventsParts): Promise<OpenEvents> {
  const { clock, readMs = READ_LIMIT_MS, presence, worker } = parts
  if (config.eventsUrl === null) return openEmbedded(config, sql, parts)
  if (worker) endUnused(worker)
  const events = await openClickhouseEvents(config.eventsUrl, { ...LIMITS, readMs }, presence)
  return { events: removeAppliedToo(events, sql), rows: claimedRows(sql, events, clock), copying: null }
}

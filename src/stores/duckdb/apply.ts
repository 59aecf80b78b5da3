/**
 * Applies outbox batches: one transaction appends their events and projection rows and records their ids, so
 * that after a crash a batch is there whole, once, or not at all. Batches may come in any order and again.
 * Before that, and in transactions of its own, it does the housekeeping that has become due.
 */
import { BIGINT, type DuckDBConnection, type DuckDBUUIDValue, INTEGER, UINTEGER, UUID, VARCHAR } from '@duckdb/node-api'
import type { StoredEvent } from '../../model/event.ts'
import type { OutboxBatch } from '../../model/outbox.ts'
import { appendRows, type Column } from './append.ts'
import { distinctHash, microsOf, uuidLiteral } from './literal.ts'
import { indexRuns } from './moments.ts'
import type { Database } from './open.ts'
import { appendPeople, foldPeople } from './people.ts'
import type { Progress } from './progress.ts'
import { sessionProperties } from './session-properties.ts'

interface EventRow {
  event: Omit<StoredEvent, 'seq'>
  seq: number
  ord: number
  session: string | null
}

const EVENT_COLUMNS: Column<EventRow>[] = [
  { type: INTEGER, value: ({ event }) => event.projectId },
  { type: DOUBLE, value: ({ ord }) => ord },
  { type: DOUBLE, value: ({ seq }) => seq },
  { type: DOUBLE, value: ({ event }) => microsOf(event.timestamp) },
  { type: VARCHAR, value: ({ event }) => event.event },
  { type: VARCHAR, value: ({ event }) => event.distinctId },
  { type: UINTEGER, value: ({ event }) => distinctHash(event.distinctId) },
  { type: VARCHAR, value: ({ event }) => event.uuid },
  { type: VARCHAR, value: ({ session }) => session },
  { type: VARCHAR, value: ({ event, session }) => (session === null ? null : sessionProperties(event.properties)) },
  { type: VARCHAR, value: ({ event }) => JSON.stringify(event.properties) },
]

function eventRows(batches: OutboxBatch[], lastOrd: number): EventRow[] {
  let ord = lastOrd
  return batches.flatMap(({ events, seq }) =>
    events.map((event) => ({
      event,
      seq,
      ord: ++ord,
      session: event.sessionId !== null && isUuid(event.sessionId) ? event.sessionId : null,
    })),
  )
}

interface BatchMark {
  id: string
  now: number
}

const BATCH_COLUMNS: Column<BatchMark>[] = [
  { type: VARCHAR, value: ({ id }) => id },
  { type: DOUBLE, value: ({ now }) => microsOf(now) },
]

async function unseen(connection: DuckDBConnection, batches: OutboxBatch[]): Promise<OutboxBatch[]> {
  const byId = new Map(batches.map((batch) => [batch.id, batch]))
  const ids = [...byId.keys()].map(uuidLiteral).join(', ')
  const seen = await connection.runAndReadAll(`SELECT id FROM batches WHERE id IN (${ids})`)
  for (const [id] of seen.getRows()) byId.delete(String(id))
  return [...byId.values()]
}

export async function applyBatches(
  database: Database,
  progress: Progress,
  batches: OutboxBatch[],
  now: number,
): Promise<void> {
  if (batches.length === 0) return
  await indexRuns(database, progress)
  await foldPeople(database, progress)
  await database.write(
    async (connection) => {
      const fresh = await unseen(connection, batches)
      const rows = eventRows(fresh, progress.lastOrd)
      await appendRows(connection, 'events', EVENT_COLUMNS, rows)
      const people = await appendPeople(connection, fresh)
      const marks = fresh.map(({ id }) => ({ id, now }))
      await appendRows(connection, 'batches', BATCH_COLUMNS, marks)
      return { ...people, events: rows.length }
    },
    (added) => {
      progress.lastOrd += added.events
      progress.freshPersons += added.freshPersons
      progress.freshDistinctIds += added.freshDistinctIds
    },
  )
}

/**
 * Applies outbox batches: one transaction appends their events and projection rows and records their ids, so that after
 * a crash a batch is stored completely and once, or not at all. Batches may come in any order and more than once.
 * One step of housekeeping may follow, in a transaction of its own.
 */
import {
  BIGINT,
  DOUBLE,
  type DuckDBConnection,
  type DuckDBType,
  INTEGER,
  UINTEGER,
  UTINYINT,
  VARCHAR,
} from '@duckdb/node-api'
import { isUuid } from '../../lib/ids.ts'
import type { OutboxBatch } from '../../model/events/outbox.ts'
import { idHash } from '../id-hash.ts'
import { projectsOf, readContent, type WrittenContent, type WrittenEvent } from '../outbox/batch-text.ts'
import { countOverrides, movedBetween, overrideOwners, type UsedId } from './actors/overrides.ts'
import { keepVersions, renewVersions } from './data-versions.ts'
import { housekeep } from './housekeeping.ts'
import { appendPeople } from './people/people-projection.ts'
import type { Parts } from './progress.ts'
import type { ColumnType, TableColumn } from './properties/property-columns.ts'
import { sessionProperties } from './sessions/session-properties.ts'
import { appendRows, type Column } from './values/append-rows.ts'
import { distinctHash, instant, int, uuidLiteral } from './values/literal.ts'
import { LongTexts, type StoredText } from './values/long-texts.ts'
import { onRows } from './values/row-refusal.ts'

interface ReadBatch extends WrittenContent {
  id: string
  seq: number
}

interface EventRow {
  event: WrittenEvent
  seq: number
  ord: number
  session: string | null
  properties: StoredText
  idHash: bigint
}

const EVENT_COLUMNS: Column<EventRow>[] = [
  { type: INTEGER, value: ({ event }) => event.projectId },
  { type: DOUBLE, value: ({ ord }) => ord },
  { type: DOUBLE, value: ({ seq }) => seq },
  { type: DOUBLE, value: ({ event }) => event.timestamp },
  { type: VARCHAR, value: ({ event }) => event.event },
  { type: VARCHAR, value: ({ event }) => event.distinctId },
  { type: UINTEGER, value: ({ event }) => distinctHash(event.distinctId) },
  { type: VARCHAR, value: ({ event }) => event.uuid },
  { type: VARCHAR, value: ({ session }) => session },
  {
    type: VARCHAR,
    value: ({ event, session }) => (session === null ? null : sessionProperties(JSON.parse(event.properties))),
  },
  { type: VARCHAR, value: ({ properties }) => properties.text },
  { type: DOUBLE, value: ({ properties }) => properties.longId },
  { type: BIGINT, value: (row) => row.idHash },
  {
    type: BIGINT,
    value: ({ event: { personId }, idHash: ofNobody }) =>
      personId === null || personId === undefined ? ofNobody : BigInt(personId),
  },
]

const TYPES: Record<ColumnType, DuckDBType> = { VARCHAR, UTINYINT, DOUBLE }

/** The columns of common properties, which are filled later. */
const unfilled = (columns: TableColumn[]): Column<EventRow>[] =>
  columns.map(({ type }) => ({ type: TYPES[type], value: null }))

/** Appends events with their `seq`, in this order. */
export async function appendEvents(
  connection: DuckDBConnection,
  { properties, progress }: Parts,
  events: { event: WrittenEvent; seq: number }[],
  longTexts: LongTexts,
): Promise<void> {
  const rows = events.map(({ event, seq }, index) => ({
    event,
    seq,
    ord: progress.lastOrd + index + 1,
    session: event.sessionId !== null && isUuid(event.sessionId) ? event.sessionId : null,
    properties: longTexts.keep(event.projectId, event.properties),
    idHash: idHash(event.projectId, event.distinctId),
  }))
  await appendRows(connection, 'events', [...EVENT_COLUMNS, ...unfilled(properties.inTable)], rows)
}

/** The batches not stored yet, neither by themselves nor with the batch that they are a part of. */
async function withoutStored(connection: DuckDBConnection, batches: OutboxBatch[]): Promise<OutboxBatch[]> {
  const byId = new Map(batches.map((batch) => [batch.id, batch]))
  const wholes = batches.flatMap(({ partOf }) => partOf ?? [])
  const ids = [...new Set([...byId.keys(), ...wholes])].map(uuidLiteral).join(', ')
  const found = await connection.runAndReadAll(`SELECT id FROM batches WHERE id IN (${ids})`)
  const seen = new Set(found.getRows().map(([id]) => String(id)))
  return [...byId.values()].filter(({ id, partOf }) => !seen.has(id) && !seen.has(partOf ?? id))
}

async function recordIds(connection: DuckDBConnection, batches: OutboxBatch[], now: number): Promise<void> {
  if (batches.length === 0) return
  const rows = batches.map(({ id, seq }) => `(${uuidLiteral(id)}, ${instant(now)}, ${int(seq)})`)
  await connection.run(`INSERT INTO batches VALUES ${rows.join(', ')}`)
}

/**
 * The ids of events that may be another's than they say: those of a batch that comes late, as an id may have moved
 * meanwhile, and those of a version that did not say.
 */
function uncertainIds(batches: ReadBatch[], lastSeq: number): UsedId[] {
  return batches.flatMap(({ seq, events, distinctIds }) =>
    seq < lastSeq ? [...events, ...distinctIds] : events.filter(({ personId }) => personId === undefined),
  )
}

/** The ids of events whose owner an overlapping transaction changed, of which theirs knew nothing. */
async function movedUnseen(connection: DuckDBConnection, batches: ReadBatch[]): Promise<UsedId[]> {
  const moved: UsedId[] = []
  for (const { seq, ownersAt, events } of batches) {
    const knowsAll = ownersAt === null || ownersAt === undefined || ownersAt >= seq - 1
    if (!knowsAll && events.length > 0) moved.push(...(await movedBetween(connection, events, [ownersAt, seq])))
  }
  return moved
}

export async function applyBatches(parts: Parts, batches: OutboxBatch[], now: number): Promise<void> {
  if (batches.length === 0) return
  const { database, progress, versions } = parts
  await database.write(
    async (connection) => {
      const news = await withoutStored(connection, batches)
      const longTexts = new LongTexts(progress.lastLongId)
      const added = await onRows(async () => {
        const read = news.map(({ id, seq, text }) => ({ id, seq, ...readContent(text) }))
        // So that only batches of an earlier call are late.
        const fresh = read.toSorted((a, b) => a.seq - b.seq)
        const rows = fresh.flatMap(({ events, seq }) => events.map((event) => ({ event, seq })))
        await appendEvents(connection, parts, rows, longTexts)
        const people = await appendPeople(connection, fresh, longTexts)
        await longTexts.append(connection)
        const uncertain = [...uncertainIds(fresh, progress.lastSeq), ...(await movedUnseen(connection, fresh))]
        await overrideOwners(connection, uncertain)
        return {
          ...people,
          events: rows.length,
          overrides: uncertain.length > 0 ? await countOverrides(connection) : {},
          projects: new Set(projectsOf(fresh)),
        }
      })
      await recordIds(connection, news, now)
      return {
        ...added,
        lastLongId: longTexts.lastId,
        versions: await renewVersions(connection, versions, added.projects),
      }
    },
    (added) => {
      progress.lastOrd += added.events
      progress.lastSeq = Math.max(progress.lastSeq, ...batches.map(({ seq }) => seq))
      Object.assign(progress, added.overrides)
      progress.freshPersons += added.freshPersons
      progress.freshDistinctIds += added.freshDistinctIds
      progress.lastLongId = added.lastLongId
      keepVersions(versions, added.versions)
    },
  )
  await housekeep(parts)
}

/**
 * Applies outbox batches. The engine has no transactions: an attempt that was cut off may have stored some of the rows. An
 * event is known by `seq` and `place`, so from the second attempt on it is asked which are there, and only the missing are
 * sent; a row of the people projection may be stored twice. Before each insert it is made sure that nobody else has taken the
 * batches over meanwhile. What is last is that the data has changed, and that the batch
 * is applied: until then whoever reads waits for it.
 */
import { eachInSlices } from '../../lib/concurrency/time-slices.ts'
import { AppError, unavailable } from '../../lib/errors.ts'
import { uuidHex } from '../../lib/ids.ts'
import { chunks } from '../../lib/lists/lists.ts'
import type { OutboxBatch } from '../../model/events/outbox.ts'
import { idHash } from '../id-hash.ts'
import { lastDistinctIds, lastPersons, projectsOf, readContent, type WrittenContent } from '../outbox/batch-text.ts'
import { HOLD_MS } from '../outbox/lease.ts'
import { insertFresh, overrideUncertain } from './actors/overrides.ts'
import { noteApplied, withoutApplied } from './applied-batches.ts'
import { renewVersions } from './data-versions.ts'
import type { Parts } from './parts.ts'
import {
  dayOf,
  EVENT_COLUMNS,
  type EventRow,
  MOMENT_COLUMNS,
  periodOf,
  type WrittenRows,
  writeEvents,
} from './rows/event-rows.ts'
import { DISTINCT_ID_COLUMNS, PERSON_COLUMNS, writeDistinctIds, writePersons } from './rows/people-rows.ts'
import { INSERT_LIMIT_MS, type InsertAttempt, type Servers, type Storing } from './server/client.ts'
import { storingTable } from './tables.ts'
import { keepUp } from './upkeep.ts'
import { int, isOneOf, text } from './values/literal.ts'

const COLUMNS = {
  events: EVENT_COLUMNS,
  moments: MOMENT_COLUMNS,
  persons: PERSON_COLUMNS,
  distinct_ids: DISTINCT_ID_COLUMNS,
} as const

interface ReadBatch extends WrittenContent {
  seq: number
  mayBeStored: boolean
}

/** Of one insert. */
const MAX_ROWS = 100_000
/** Up to so many rows are written before anything is stored, as one may have to be refused; more are sent as they are written. */
const WRITTEN_FIRST = 5_000
/** The server refuses more than 100 in one insert. */
const MAX_PERIODS = 90

/** Fails only because of the content. */
async function onContent<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw new AppError('unprocessable', 'refused_rows', (cause as Error).message, { cause })
  }
}

async function readBatches(batches: OutboxBatch[]): Promise<ReadBatch[]> {
  const read: ReadBatch[] = []
  await eachInSlices(batches, ({ seq, text, claim }) => {
    read.push({ seq, mayBeStored: claim?.sentAt !== null, ...readContent(text) })
  })
  return read
}

const eventRows = (batches: ReadBatch[]): EventRow[] =>
  batches.flatMap(({ seq, events, places }) =>
    events.map((event, index) => ({ event, seq, place: places?.[index] ?? index })),
  )

/** An event's own, in all tables that have it. */
const identityOf = ({ event, seq, place }: EventRow): string => `${seq} ${place} ${uuidHex(event.uuid)}`

/** What is there already. */
type Stored = Record<'events' | 'moments', Set<string>>

/** Of these events those that the table has. */
async function storedOf(servers: Storing, table: 'events' | 'moments', rows: EventRow[]): Promise<Set<string>> {
  if (rows.length === 0) return new Set()
  const among = <T>(column: string, literal: (value: T) => string, of: (row: EventRow) => T): string =>
    isOneOf(column, [...new Set(rows.map(of))], literal)
  const conditions = [
    among('project_id', int, ({ event }) => event.projectId),
    among('id_hash', int, ({ event }) => idHash(event.projectId, event.distinctId)),
    among('seq', int, ({ seq }) => seq),
  ]
  // What its order begins with.
  if (table === 'events') conditions.push(among('day', int, ({ event }) => dayOf(event.timestamp)))
  if (table === 'events') conditions.push(among('event', text, ({ event }) => event.event))
  const found = await servers.rows(
    `SELECT seq, place, lower(hex(uuid)) FROM ${table} WHERE ${conditions.join(' AND ')}`,
  )
  return new Set(found.map((row) => row.join(' ')))
}

/** In groups, each of which one insert may have. */
function* inserts(rows: EventRow[], now: number): Generator<EventRow[]> {
  const ofPeriod = new Map<number, EventRow[]>()
  for (const row of rows) {
    const period = periodOf(row.event.timestamp, now)
    const group = ofPeriod.get(period)
    if (group) group.push(row)
    else ofPeriod.set(period, [row])
  }
  let some: EventRow[] = []
  let periods = 0
  for (const group of [...ofPeriod.values()].flatMap((all) => chunks(all, MAX_ROWS))) {
    if (some.length > 0 && (periods === MAX_PERIODS || some.length + group.length > MAX_ROWS)) {
      yield some
      some = []
      periods = 0
    }
    for (const row of group) some.push(row)
    periods += 1
  }
  if (some.length > 0) yield some
}

function peopleOf(batches: ReadBatch[]) {
  const persons = batches.flatMap(({ persons, seq }) => lastPersons(persons).map((row) => ({ row, seq })))
  const distinctIds = batches.flatMap(({ distinctIds, seq }) =>
    lastDistinctIds(distinctIds).map((row) => ({ row, seq })),
  )
  return { persons: writePersons(persons), distinct_ids: writeDistinctIds(distinctIds) }
}

/** How an insert of these rows is known: rows that were claimed together go to one node, under the same names each time. */
interface Shipping {
  attempt(table: string, piece?: number): Partial<InsertAttempt>
  /** Rejects while an insert of an earlier attempt runs, of which nobody could say what it has stored. */
  ended(): Promise<void>
}

/** Of rows that nobody has claimed. */
const NO_SHIPMENT: Shipping = { attempt: () => ({}), ended: async () => {} }

function shippingOf(servers: Servers, batches: OutboxBatch[], now: number): Shipping {
  const [shipment] = batches.flatMap(({ claim }) => claim?.shipment ?? [])
  if (shipment === undefined) return NO_SHIPMENT
  const sentAt = Math.max(...batches.map(({ claim }) => claim?.sentAt ?? Number.NEGATIVE_INFINITY))
  const node = Number.parseInt(shipment.slice(-8), 16) % servers.address.nodes.length
  const mayMove = now - sentAt > HOLD_MS + INSERT_LIMIT_MS
  return {
    attempt: (table, piece = 0) => ({ queryId: `${shipment}-${table}-${piece}`, node, mayMove }),
    async ended() {
      if (Number.isFinite(sentAt) && (await servers.isRunning(shipment, mayMove)))
        throw unavailable('An earlier insert of the same rows is still running.', 1)
    },
  }
}

/** They store what this process holds only. */
const holding = (servers: Servers, [first]: OutboxBatch[]): Storing => ({
  address: servers.address,
  rows: (sql, options) => servers.rows(sql, options),
  async insert(...given) {
    await first?.hold?.()
    await servers.insert(...given)
  },
})

/** What storing events needs to know. */
interface EventsToStore {
  /** Each what one insert has. */
  pieces: EventRow[][]
  /** The first of them, which may still be being written. */
  written?: WrittenRows
  stored: Stored
  shipping: Shipping
  now: number
}

async function storeEvents(servers: Storing, { pieces, written, stored, shipping, now }: EventsToStore): Promise<void> {
  async function store(table: 'moments' | 'events', piece: number, all: WrittenRows): Promise<void> {
    const rows = pieces[piece] ?? []
    const missing = stored[table].size === 0 ? rows : rows.filter((row) => !stored[table].has(identityOf(row)))
    if (missing.length === 0) return
    const bytes = missing.length === rows.length ? all : writeEvents(missing, now)
    const attempt = { isKnown: true, ...shipping.attempt(table, piece) }
    await servers.insert(storingTable(servers, table), COLUMNS[table], bytes[table], attempt)
  }
  for (const [piece, rows] of pieces.entries()) {
    const all = (piece === 0 && written) || writeEvents(rows, now)
    await allEnded([onContent(() => all.done), store('moments', piece, all), store('events', piece, all)])
  }
}

/** Rejects like the first of them, when all have ended. */
async function allEnded(works: Promise<void>[]): Promise<void> {
  for (const one of await Promise.allSettled(works)) if (one.status === 'rejected') throw one.reason
}

async function storedAmong(servers: Storing, rows: EventRow[]): Promise<Stored> {
  return { events: await storedOf(servers, 'events', rows), moments: await storedOf(servers, 'moments', rows) }
}

/** Stores events, by themselves unless a shipment is named; where some may be there already, only the missing. */
export async function storeRows(
  servers: Storing,
  rows: EventRow[],
  mayBeStored: boolean,
  now: number,
  shipping = NO_SHIPMENT,
): Promise<void> {
  const stored = await storedAmong(servers, mayBeStored ? rows : [])
  await storeEvents(servers, { pieces: [...inserts(rows, now)], stored, shipping, now })
}

/**
 * Rows that replicas have known, and that none of them has any more, they have left out: what was not on a disk when machines
 * crashed. While a replica is away nobody can tell, as it may have them.
 */
async function storeLost(storing: Storing, rows: EventRow[], shipping: Shipping, now: number): Promise<void> {
  const attempt = (table: string, piece?: number) => ({ ...shipping.attempt(table, piece), isKnown: false })
  await storeRows(storing, rows, true, now, { ...shipping, attempt })
}

export async function applyBatches(parts: Parts, batches: OutboxBatch[], now: number): Promise<void> {
  const { servers } = parts
  const news = await withoutApplied(servers, batches)
  if (news.length === 0) return
  const { read, people, pieces, written } = await onContent(async () => {
    const read = await readBatches(news)
    const pieces = [...inserts(eventRows(read), now)]
    const [first = []] = pieces
    const [people, written] = [peopleOf(read), writeEvents(first, now)]
    if (first.length <= WRITTEN_FIRST) await written.done
    return { read, people, pieces, written }
  })
  const shipping = shippingOf(servers, news, now)
  await shipping.ended()
  const asked = eventRows(read.filter(({ mayBeStored }) => mayBeStored))
  const replicated = ['events', 'moments']
  if (asked.length > 0) await servers.replicas.haveSame(replicated)
  const stored = await storedAmong(servers, asked)
  const storing = holding(servers, news)
  // Before the owners themselves, so that there is none without.
  await insertFresh(storing, read)
  for (const table of ['persons', 'distinct_ids'] as const) {
    const bytes = people[table]
    if (bytes.length === 0) continue
    await storing.insert(storingTable(servers, table), COLUMNS[table], bytes, shipping.attempt(table))
  }
  await storeEvents(storing, { pieces, written, stored, shipping, now })
  if (asked.length > 0 && servers.replicas.hasAny && (await servers.replicas.haveSame(replicated)))
    await storeLost(storing, asked, shipping, now)
  await overrideUncertain(storing, read)
  const projects = projectsOf(read)
  await renewVersions(storing, projects)
  await noteApplied(storing, news, now)
  const count = (of: 'events' | 'persons' | 'distinctIds') => read.reduce((sum, batch) => sum + batch[of].length, 0)
  await keepUp(parts, { rows: count('events') + count('persons'), owners: count('distinctIds'), projects })
}

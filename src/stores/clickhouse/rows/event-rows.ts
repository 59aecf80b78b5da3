/** Events as rows of `events`, and of `moments`, which is ordered by distinct id. */
import { GrowingBytes } from '../../../lib/bytes/growing-bytes.ts'
import { eachInSlices } from '../../../lib/concurrency/time-slices.ts'
import { isUuid } from '../../../lib/ids.ts'
import { DAY } from '../../../lib/time/time.ts'
import { idHash } from '../../id-hash.ts'
import type { WrittenEvent } from '../../outbox/batch-text.ts'
import { microsOf } from '../values/literal.ts'
import { propertyLists, writeProperties } from '../values/property-arrays.ts'
import { RowWriter } from '../values/row-binary.ts'
import { sessionTexts } from './session-texts.ts'

export interface EventRow {
  event: WrittenEvent
  seq: number
  /** In its batch; with `seq` it is the event's own. */
  place: number
}

/** A session id that is none. */
export const NO_SESSION = '00000000-0000-0000-0000-000000000000'

const DAYS_OF_PERIOD = 30
/** 2010. */
const FIRST_DAY = 14_610
const DAYS_AHEAD = 2
/** Of days that no clock of today has: a part for each would be a part for each event. */
const ODD_PERIOD = -1

const MICROS = 1_000
/** The year 2255. */
const USUAL_MS = 9_000_000_000_000

export const dayOf = (timestamp: number): number => Math.floor(timestamp / DAY)

/** The partition of an event that is stored now. It does not change when the day comes. */
export function periodOf(timestamp: number, now: number): number {
  const [day, today] = [dayOf(timestamp), dayOf(now)]
  return day < FIRST_DAY || day > today + DAYS_AHEAD ? ODD_PERIOD : Math.floor(day / DAYS_OF_PERIOD)
}

/** SQL of a condition on `events` and `moments` by which the engine passes over partitions; from and to are days. */
export const inPeriods = (from: number, to: number): string => {
  const [first, last] = [from, to].map((day) => Math.floor(day / DAYS_OF_PERIOD))
  return `(period = ${ODD_PERIOD} OR (period >= ${first} AND period <= ${last}))`
}

export const EVENT_COLUMNS = [
  'project_id',
  'period',
  'day',
  'event',
  'id_hash',
  'ts',
  'seq',
  'place',
  'actor',
  'uuid',
  'session_id',
  'distinct_id',
  'keys',
  'vals',
  'nums',
  'instants',
  'session_texts',
  'size',
] as const

export const MOMENT_COLUMNS = [
  'project_id',
  'period',
  'id_hash',
  'distinct_id',
  'event',
  'ts',
  'seq',
  'place',
  'uuid',
  'size',
] as const

export interface WrittenRows {
  events: AsyncIterable<Buffer>
  moments: AsyncIterable<Buffer>
  done: Promise<void>
}

/** As `microsOf` says; of any usual time without an integer of 64 bits, which takes several times as long. */
function writeMicros(row: RowWriter, timestamp: number): void {
  if (Math.abs(timestamp) < USUAL_MS) {
    const whole = Math.floor(timestamp)
    row.integer(whole * MICROS + Math.round((timestamp - whole) * MICROS))
  } else row.int64(microsOf(timestamp))
}

interface Writers {
  events: RowWriter
  moments: RowWriter
}

function writeEvent({ events, moments }: Writers, { event, seq, place }: EventRow, now: number): void {
  const { projectId, distinctId, personId, sessionId, timestamp } = event
  const [period, hash] = [periodOf(timestamp, now), idHash(projectId, distinctId)]
  events.uint32(projectId)
  events.int32(period)
  events.int32(dayOf(timestamp))
  events.text(event.event)
  events.int64(hash)
  writeMicros(events, timestamp)
  events.integer(seq)
  events.uint32(place)
  if (personId === null || personId === undefined) events.int64(hash)
  else events.integer(personId)
  const uuidAt = events.length
  events.uuid(event.uuid)
  const hasSession = sessionId !== null && sessionId !== NO_SESSION && isUuid(sessionId)
  if (hasSession) events.uuid(sessionId)
  else events.noUuid()
  events.text(distinctId)
  const properties = propertyLists(event.properties)
  const before = events.length
  writeProperties(events, properties)
  const size = events.length - before
  events.list(hasSession ? sessionTexts(properties) : [], (text) => events.text(text))
  events.uint32(size)
  moments.uint32(projectId)
  moments.int32(period)
  moments.int64(hash)
  moments.text(distinctId)
  moments.text(event.event)
  writeMicros(moments, timestamp)
  moments.integer(seq)
  moments.uint32(place)
  moments.uuidOf(events, uuidAt)
  moments.uint32(size)
}

/** So many bytes are sent together. */
const CHUNK_BYTES = 256 * 1_024

/** A slice at a time: meanwhile requests are answered, and what was written is sent. `done` rejects when a row cannot be stored. */
export function writeEvents(rows: EventRow[], now: number): WrittenRows {
  const written = { events: new GrowingBytes(), moments: new GrowingBytes() }
  const writers: Writers = { events: new RowWriter(), moments: new RowWriter() }
  const hand = (table: keyof Writers, most: number) => {
    if (writers[table].length > most) written[table].add(writers[table].take())
  }
  const tables = ['events', 'moments'] as const
  const write = async () => {
    try {
      await eachInSlices(rows, (row) => {
        writeEvent(writers, row, now)
        for (const table of tables) hand(table, CHUNK_BYTES)
      })
      for (const table of tables) hand(table, 0)
      for (const table of tables) written[table].end()
    } catch (error) {
      for (const table of tables) written[table].fail(error)
      throw error
    }
  }
  const done = write()
  // Whoever sends the bytes is told of a failure too.
  done.catch(() => {})
  return { ...written, done }
}

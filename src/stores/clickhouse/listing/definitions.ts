/**
 * Definitions derived from the data: names of events, keys of properties and the type of their values, and the values
 * of one key. Computed on request over a bounded number of the latest rows.
 */
import type {
  EventName,
  EventValuesQuery,
  NamesQuery,
  PropertyName,
  PropertyNamesQuery,
  PropertyType,
} from '../../../model/events/event.ts'
import { ISO_DATE } from '../../property-filter.ts'
import type { Reading } from '../parts.ts'
import { containsFolded, valueUnder } from '../properties/property-sql.ts'
import { instantOf, int, text } from '../values/literal.ts'
import { isRead, latestRange } from './latest-events.ts'
import { eventWithin } from './time-windows.ts'

/** Maximum number of events or persons whose properties are read. */
const LATEST = 100_000
/** Only the names and times of these events are read. */
const LATEST_NAMES = 1_000_000
/** Longer values are not listed. */
const MAX_VALUE = 1_000

const ofProject = (projectId: number): string => `project_id = ${int(projectId)}`

/** One page of a table whose first column is `name`, and how many of its rows have all words in their names. */
async function readPage<T>(
  { rows }: Reading,
  { words, page }: NamesQuery,
  table: { sql: string; columns: string[]; where?: string },
  item: (row: unknown[]) => T,
): Promise<{ count: number; items: T[] }> {
  const conditions = [table.where ?? '1', ...words.map((word) => containsFolded('name', word))]
  const found =
    await rows(`SELECT length(found), arraySlice(arraySort(found), ${int(page.offset)} + 1, ${int(page.limit)})
    FROM (SELECT groupArray((${table.columns.join(', ')})) AS found FROM (${table.sql})
      WHERE ${conditions.join(' AND ')})`)
  const [[count, items] = []] = found
  return { count: Number(count ?? 0), items: ((items ?? []) as unknown[][]).map(item) }
}

const toEventName = ([name, count, firstAt, lastAt]: unknown[]): EventName => ({
  name: name as string,
  count: Number(count),
  firstAt: instantOf(firstAt as string),
  lastAt: instantOf(lastAt as string),
})

export async function eventNames(reading: Reading, query: NamesQuery): Promise<{ count: number; items: EventName[] }> {
  const condition = ofProject(query.projectId)
  const range = await latestRange(reading, condition, LATEST_NAMES)
  const sql = `SELECT event AS name, count() AS events, min(ts) AS firstAt, max(ts) AS lastAt FROM events
    WHERE ${condition} AND ${eventWithin(range)} GROUP BY name`
  return readPage(reading, query, { sql, columns: ['name', 'events', 'firstAt', 'lastAt'] }, toEventName)
}

/** SQL of the type of a value; empty for a null. Few texts are matched against a pattern. */
const KIND = `multiIf(
  substring(value, 1, 1) = '"', if(length(value) >= 11 AND substring(value, 6, 1) = '-' AND match(substring(value, 2), ${text(ISO_DATE)}),
    'DateTime', 'String'),
  substring(value, 1, 1) IN ('{', '['), 'other',
  substring(value, 1, 1) IN ('t', 'f'), 'Boolean',
  value = 'null', '',
  'Numeric')`

/** SQL of the keys of properties: `name`, `kind`, and `number` of those that `count` counts. */
const kindsOf = (table: string, count: string, condition: string): string =>
  `SELECT name, ${KIND} AS kind, ${count} AS number FROM ${table} ARRAY JOIN keys AS name, vals AS value
    ${condition} GROUP BY name, kind`

async function kindsOfEvents(reading: Reading, projectId: number): Promise<string> {
  const condition = ofProject(projectId)
  const range = await latestRange(reading, condition, LATEST)
  return kindsOf('events', 'count()', `PREWHERE ${condition} AND ${await isRead(reading, condition, range)}`)
}

/** Of the latest persons, each as it is now: first which rows these are, then their content. A row may be stored twice. */
function kindsOfPeople(projectId: number): string {
  const newest = `SELECT person_id, newest FROM (
      SELECT person_id, max(seq) AS newest, argMax(deleted, seq) AS gone FROM persons
      WHERE ${ofProject(projectId)} GROUP BY person_id)
    WHERE gone = 0 ORDER BY person_id DESC LIMIT ${LATEST}`
  const condition = `WHERE ${ofProject(projectId)} AND (person_id, seq) GLOBAL IN (${newest})`
  return kindsOf('persons', 'uniqExact(person_id)', condition)
}

const toPropertyName = ([name, count, type]: unknown[]): PropertyName => ({
  name: name as string,
  count: Number(count),
  type: ['', 'other'].includes(type as string) ? null : (type as PropertyType),
})

export async function propertyNames(
  reading: Reading,
  query: PropertyNamesQuery,
): Promise<{ count: number; items: PropertyName[] }> {
  const { projectId, of, isNumerical } = query
  const kinds = of === 'event' ? await kindsOfEvents(reading, projectId) : kindsOfPeople(projectId)
  const sql = `SELECT name, sum(number) AS count, if(countIf(kind != '') > 1, 'String', max(kind)) AS type
    FROM (${kinds}) GROUP BY name`
  const where = isNumerical === null ? '1' : `type ${isNumerical ? '=' : '!='} 'Numeric'`
  return readPage(reading, query, { sql, columns: ['name', 'count', 'type'], where }, toPropertyName)
}

export async function eventValues(
  reading: Reading,
  { projectId, key, event, search, limit }: EventValuesQuery,
): Promise<{ name: string; count: number }[]> {
  const condition = event === null ? ofProject(projectId) : `${ofProject(projectId)} AND event = ${text(event)}`
  const range = await latestRange(reading, condition, LATEST)
  const value = valueUnder(key, reading.columns.events)
  const searched = search === null ? '' : `AND ${containsFolded('name', search)}`
  const sql = `SELECT ${value.text} AS name, count() AS events FROM events
    PREWHERE ${condition} AND ${await isRead(reading, condition, range)}
    WHERE ${value.hasText} AND name != '' AND lengthUTF8(name) <= ${MAX_VALUE} ${searched}
    GROUP BY name ORDER BY events DESC, name LIMIT ${int(limit)}`
  return (await reading.rows(sql)).map(([name, count]) => ({ name: name as string, count: Number(count) }))
}

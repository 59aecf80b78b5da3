/**
 * What the data tells about itself: names of events, keys of properties and the type of their values, and the values
 * of one key. Computed when asked, over so many of the latest rows that the cost has a bound.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import type {
  EventName,
  EventValuesQuery,
  NamesQuery,
  PropertyName,
  PropertyNamesQuery,
  PropertyType,
} from '../../../model/event.ts'
import { int } from '../literal.ts'
import type { Parts } from '../progress.ts'
import { Texts } from '../texts.ts'
import { firstOfLatest, LATEST, learnedOfEvents, learnedOfPeople } from './latest-properties.ts'
import { containsFolded, ISO_DATE, textOf } from './property-sql.ts'

/** Only names and times are read of them. */
const LATEST_NAMES = 1_000_000

const ofProject = (projectId: number): string => `project_id = ${int(projectId)}`

const named = (words: string[], texts: Texts): string =>
  words.map((word) => `AND ${containsFolded('name', word, texts)}`).join(' ')

/** One page of `named`, with the number of all; a row of nulls when the page is empty. */
const pageSql = ({ page }: NamesQuery): string => `
  SELECT (SELECT count(*) FROM named), page.* FROM (SELECT 1) LEFT JOIN (
    SELECT * FROM named ORDER BY name LIMIT ${int(page.limit)} OFFSET ${int(page.offset)}) AS page ON true
  ORDER BY name`

async function readPage<T>(
  connection: DuckDBConnection,
  texts: Texts,
  sql: string,
  item: (row: unknown[]) => T,
): Promise<{ count: number; items: T[] }> {
  const rows = await texts.rows(connection, sql)
  const items = rows.filter(([, name]) => name !== null).map(([, ...row]) => item(row))
  return { count: Number(rows[0]?.[0] ?? 0), items }
}

const toEventName = ([name, count, firstAt, lastAt]: unknown[]): EventName => ({
  name: name as string,
  count: Number(count),
  firstAt: firstAt as number,
  lastAt: lastAt as number,
})

export async function eventNames(
  { database }: Parts,
  query: NamesQuery,
): Promise<{ count: number; items: EventName[] }> {
  const condition = ofProject(query.projectId)
  return database.read(async (connection) => {
    const first = await firstOfLatest(connection, new Texts(), condition, LATEST_NAMES)
    const texts = new Texts()
    const sql = `WITH named AS MATERIALIZED (
        SELECT event AS name, count(*), min(ts), max(ts) FROM events
        WHERE ${condition} AND ord >= ${int(first)} GROUP BY event HAVING true ${named(query.words, texts)})
      ${pageSql(query)}`
    return readPage(connection, texts, sql, toEventName)
  })
}

/** The kind of a JSON value, by how its text begins; NULL for a null. Few texts are held against a pattern. */
const KIND = `CASE left(value, 1)
  WHEN '"' THEN CASE
    WHEN value LIKE '"____-__-__%' AND regexp_matches(value[2:-2], '${ISO_DATE}') THEN 'DateTime' ELSE 'String' END
  WHEN '{' THEN 'other' WHEN '[' THEN 'other' WHEN 't' THEN 'Boolean' WHEN 'f' THEN 'Boolean'
  ELSE CASE WHEN value IS NOT NULL THEN 'Numeric' END END`

const toPropertyName = ([name, count, type]: unknown[]): PropertyName => ({
  name: name as string,
  count: Number(count),
  type: type as PropertyType | null,
})

/** SQL that defines `learned`. */
async function learnedBy(connection: DuckDBConnection, query: PropertyNamesQuery): Promise<string> {
  if (query.of === 'person') return learnedOfPeople(query.projectId)
  const condition = ofProject(query.projectId)
  const first = await firstOfLatest(connection, new Texts(), condition, LATEST)
  return learnedOfEvents(query.projectId, condition, first)
}

export async function propertyNames(
  { database }: Parts,
  query: PropertyNamesQuery,
): Promise<{ count: number; items: PropertyName[] }> {
  return database.read(async (connection) => {
    const learned = await learnedBy(connection, query)
    const texts = new Texts()
    const wanted = query.isNumerical === null ? '' : `AND (type IS NOT DISTINCT FROM 'Numeric') = ${query.isNumerical}`
    // As a map: listing keys and values apart, and json_each, took two and six times as long.
    const sql = `${learned},
      entry AS (SELECT unnest(map_entries(from_json(properties, '"MAP(VARCHAR, JSON)"'))) AS pair FROM learned),
      valued AS (SELECT pair.key AS name, pair.value::VARCHAR AS value FROM entry),
      sorted AS (SELECT name, ${KIND} AS kind, count(*) AS count FROM valued GROUP BY ALL),
      typed AS (
        SELECT name, sum(count) AS count,
          CASE WHEN count(kind) > 1 THEN 'String' ELSE nullif(any_value(kind), 'other') END AS type
        FROM sorted GROUP BY name),
      named AS MATERIALIZED (SELECT * FROM typed WHERE true ${named(query.words, texts)} ${wanted})
      ${pageSql(query)}`
    return readPage(connection, texts, sql, toPropertyName)
  })
}

export async function eventValues(
  { database }: Parts,
  { projectId, key, event, search, limit }: EventValuesQuery,
): Promise<{ name: string; count: number }[]> {
  const conditionBy = (texts: Texts) =>
    event === null ? ofProject(projectId) : `${ofProject(projectId)} AND event = ${texts.bind(event)}`
  return database.read(async (connection) => {
    const asked = new Texts()
    const first = await firstOfLatest(connection, asked, conditionBy(asked), LATEST)
    const texts = new Texts()
    const searched = search === null ? '' : `AND ${containsFolded('name', search, texts)}`
    const sql = `${learnedOfEvents(projectId, conditionBy(texts), first)}
      SELECT name, count(*) AS count FROM (SELECT ${textOf('properties', key, texts)} AS name FROM learned)
      WHERE name <> '' ${searched} GROUP BY name ORDER BY count DESC, name LIMIT ${int(limit)}`
    const rows = await texts.rows(connection, sql)
    return rows.map(([name, count]) => ({ name: name as string, count: Number(count) }))
  })
}

/**
 * Definitions derived from the data: names of events, keys of properties and the type of their values, and the values
 * of one key. Computed on request over a bounded number of the latest rows. Properties are counted in several steps
 * into a temporary table, so that no step needs much memory.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import type {
  EventName,
  EventValuesQuery,
  NamesQuery,
  PropertyName,
  PropertyNamesQuery,
  PropertyType,
} from '../../../model/events/event.ts'
import { ISO_DATE } from '../../property-filter.ts'
import type { Parts } from '../progress.ts'
import { computedOnce, containsFolded, jsonPointer, singleThreaded } from '../properties/property-sql.ts'
import { Texts } from '../values/bound-texts.ts'
import { int } from '../values/literal.ts'
import { firstOfLatest, type Latest, latestEvents, latestPeople, type WriteSql } from './latest-properties.ts'
import { inSnapshot, readWithinMemory } from './memory-limited-read.ts'
import { inBatches, rejoinTexts } from './rejoin-texts.ts'

/** Only the names and times of these events are read. */
const LATEST_NAMES = 1_000_000
/** Longer values are not listed. */
const MAX_VALUE = 1_000

const ofProject = (projectId: number): string => `project_id = ${int(projectId)}`

const named = (words: string[], texts: Texts): string =>
  words.map((word) => `AND ${containsFolded('name', word, texts)}`).join(' ')

/** One page of `named`, with the total count; a row of nulls when the page is empty. */
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
    const first = await firstOfLatest(connection, () => condition, LATEST_NAMES)
    const texts = new Texts()
    const sql = `WITH named AS MATERIALIZED (
        SELECT event AS name, count(*), min(ts), max(ts) FROM events
        WHERE ${condition} AND ord >= ${int(first)} GROUP BY event HAVING true ${named(query.words, texts)})
      ${pageSql(query)}`
    return readPage(connection, texts, sql, toEventName)
  })
}

/**
 * Counts what `extract` returns for each text of a table (`name` and `kind`) into `temp.learned`, which exists while `work`
 * runs. In a snapshot, with which it goes after an error.
 */
async function learning<T>(
  connection: DuckDBConnection,
  { tables, longIds }: Latest,
  extract: (source: string, texts: Texts) => string,
  work: () => Promise<T>,
): Promise<T> {
  const count = async (source: WriteSql) => {
    const texts = new Texts()
    const sql = extract(source(texts), texts)
    await texts.rows(connection, `INSERT INTO temp.learned SELECT name, kind, count(*) FROM (${sql}) GROUP BY ALL`)
  }
  await connection.run('CREATE TEMP TABLE learned (name VARCHAR, kind VARCHAR, count BIGINT)')
  for (const table of tables) await count(table)
  for (const ids of await inBatches(connection, longIds)) await count(() => singleThreaded(rejoinTexts(ids)))
  const result = await work()
  await connection.run('DROP TABLE temp.learned')
  return result
}

const inOneSnapshot = <T>(parts: Parts, work: (connection: DuckDBConnection) => Promise<T>): Promise<T> =>
  readWithinMemory(parts, (connection) => inSnapshot(connection, () => work(connection)))

/**
 * The type of a JSON value, by the first character of its text; NULL for a null. Few texts are matched against a
 * pattern.
 */
const KIND = `CASE left(value, 1)
  WHEN '"' THEN CASE
    WHEN value LIKE '"____-__-__%' AND regexp_matches(value[2:-2], '${ISO_DATE}') THEN 'DateTime' ELSE 'String' END
  WHEN '{' THEN 'other' WHEN '[' THEN 'other' WHEN 't' THEN 'Boolean' WHEN 'f' THEN 'Boolean'
  ELSE CASE WHEN value IS NOT NULL THEN 'Numeric' END END`

/** As a map: listing keys and values separately took twice as long, and json_each six times. */
const kindsOf = (source: string): string => `
  SELECT name, ${KIND} AS kind FROM (
    SELECT pair.key AS name, pair.value::VARCHAR AS value FROM (
      SELECT unnest(map_entries(from_json(properties, '"MAP(VARCHAR, JSON)"'))) AS pair FROM ${source}))`

const toPropertyName = ([name, count, type]: unknown[]): PropertyName => ({
  name: name as string,
  count: Number(count),
  type: type as PropertyType | null,
})

export async function propertyNames(
  parts: Parts,
  query: PropertyNamesQuery,
): Promise<{ count: number; items: PropertyName[] }> {
  const { projectId, of, words, isNumerical } = query
  return inOneSnapshot(parts, async (connection) => {
    const latest =
      of === 'event'
        ? await latestEvents(connection, () => ofProject(projectId), parts.database.parsesInParallel)
        : await latestPeople(connection, projectId)
    const texts = new Texts()
    const wanted = isNumerical === null ? '' : `AND (type IS NOT DISTINCT FROM 'Numeric') = ${isNumerical}`
    const sql = `WITH typed AS (
        SELECT name, sum(count) AS count,
          CASE WHEN count(DISTINCT kind) > 1 THEN 'String' ELSE nullif(any_value(kind), 'other') END AS type
        FROM temp.learned GROUP BY name),
      named AS MATERIALIZED (SELECT * FROM typed WHERE true ${named(words, texts)} ${wanted})
      ${pageSql(query)}`
    return learning(connection, latest, kindsOf, () => readPage(connection, texts, sql, toPropertyName))
  })
}

export async function eventValues(
  parts: Parts,
  { projectId, key, event, search, limit }: EventValuesQuery,
): Promise<{ name: string; count: number }[]> {
  const condition = (texts: Texts) =>
    event === null ? ofProject(projectId) : `${ofProject(projectId)} AND event = ${texts.bind(event)}`
  const extract = (source: string, texts: Texts) => {
    const value = computedOnce(`json_extract_string(properties, ${texts.bind(jsonPointer(key))})`)
    const valued = `(SELECT ${value} AS name FROM ${source})`
    const searched = search === null ? '' : `AND ${containsFolded('name', search, texts)}`
    return `SELECT name, NULL AS kind FROM ${valued} WHERE name <> '' AND length(name) <= ${MAX_VALUE} ${searched}`
  }
  return inOneSnapshot(parts, async (connection) => {
    const top = `SELECT name, sum(count) FROM temp.learned GROUP BY name ORDER BY 2 DESC, name LIMIT ${int(limit)}`
    const latest = await latestEvents(connection, condition, parts.database.parsesInParallel)
    const found = await learning(connection, latest, extract, () => connection.runAndReadAll(top))
    return found.getRows().map(([name, count]) => ({ name: name as string, count: Number(count) }))
  })
}

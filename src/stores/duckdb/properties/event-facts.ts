/**
 * SQL of what a question wants of the properties of events, read from where it takes least: from columns as far as
 * these are filled, from the JSON beyond, and from neither where a key is known not to be there. Events whose
 * properties are too long for a row are not among them.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import type { Texts } from '../values/bound-texts.ts'
import { blocksWith, type OrdRange, within } from './key-blocks.ts'
import type { EventColumn, KnownProperties } from './property-columns.ts'
import { computedOnce, factsSql, keysOf, propertyValuesSql, tableOf, type Wanted } from './property-sql.ts'
import { columnValues, isInColumn, isInJson } from './property-value.ts'

/** More blocks are read together with those between them: each takes a part of the statement. */
const MAX_BLOCKS = 8

/** The name of the result of the condition at this place, from 0. */
export const fitName = (place: number): string => `fit_${place + 1}`

/** The columns of what is wanted: a result for each condition, `fact_number` and `fact_text`. */
export const factNames = ({ conditions, number, text }: Wanted): string[] => [
  ...conditions.map((_, place) => fitName(place)),
  ...(number === undefined ? [] : ['fact_number']),
  ...(text === undefined ? [] : ['fact_text']),
]

/** SQL of those columns, given a struct as propertyValuesSql makes it. */
export function unpackedFacts({ conditions, number, text }: Wanted, facts: string): string {
  const columns = [
    ...conditions.map((_, place) => `${facts}.fits[${place + 1}] AS ${fitName(place)}`),
    ...(number === undefined ? [] : [`${facts}.number AS fact_number`]),
    ...(text === undefined ? [] : [`${facts}.text AS fact_text`]),
  ]
  return columns.join(', ')
}

/** Where the properties of some events are read. */
interface Segment extends OrdRange {
  isInColumns: boolean
}

/** The ranges with the smallest gaps become one until there are few. */
function merged(ranges: OrdRange[]): OrdRange[] {
  const left = [...ranges]
  while (left.length > MAX_BLOCKS) {
    const gaps = left.slice(1).map(({ from }, place) => from - (left[place]?.to ?? 0))
    const place = gaps.indexOf(Math.min(...gaps))
    const [a, b] = left.slice(place, place + 2)
    if (a && b) left.splice(place, 2, { from: a.from, to: b.to })
  }
  return left
}

/** `held`: the columns of keys that have them; `bare`: the other keys. */
async function segmentsOf(
  connection: DuckDBConnection,
  scanned: number,
  held: EventColumn[],
  bare: string[],
): Promise<Segment[]> {
  const end = Math.min(...held.map(({ filled }) => filled), ...(bare.length > 0 ? [scanned] : []))
  const blocks = bare.length > 0 && end > 0 ? merged(await blocksWith(connection, bare)) : []
  const inJson = [
    ...blocks.filter(({ from }) => from < end).map(({ from, to }) => ({ from, to: Math.min(to, end) })),
    { from: end, to: Number.POSITIVE_INFINITY },
  ]
  let reached = 0
  return inJson.flatMap(({ from, to }) => {
    const before = { from: reached, to: from, isInColumns: true }
    const own = { from, to, isInColumns: false }
    reached = to
    return before.to > before.from ? [before, own] : [own]
  })
}

/** SQL of what is wanted, from these columns; other keys are not there. */
function columnFacts(wanted: Wanted, held: EventColumn[], texts: Texts): string {
  const { fits, ...others } = factsSql(wanted, columnValues(held), texts)
  const names = factNames(wanted)
  return [...fits, ...Object.values(others)].map((sql, place) => `${sql} AS ${names[place]}`).join(', ')
}

export interface FactRows {
  /** SQL of further columns of `events`, with their names. */
  columns: string
  /** SQL of a condition on `events`. */
  where: string
  /** Whether JSON is read by all threads. */
  parsesInParallel: boolean
}

/** SQL of the events, in parts: the columns, and those of what is wanted. */
export async function eventsWithFacts(
  connection: DuckDBConnection,
  { columns: known, scanned }: KnownProperties,
  wanted: Wanted,
  { columns, where, parsesInParallel }: FactRows,
  texts: Texts,
): Promise<string[]> {
  const keys = keysOf(wanted)
  const held = known.filter(({ key }) => keys.includes(key))
  const bare = keys.filter((key) => !held.some((column) => column.key === key))
  const short = `${where} AND long_id IS NULL`
  const marked = held.filter(({ hasInJson }) => hasInJson)
  const segments = await segmentsOf(connection, scanned, held, bare)
  const inColumns = segments.filter(({ isInColumns }) => isInColumns)
  const inJson = [
    ...segments.filter(({ isInColumns }) => !isInColumns).map(within),
    // Each event once: under the first key whose value is only there.
    ...inColumns.flatMap((segment) =>
      marked.map((column, place) =>
        [within(segment), ...marked.slice(0, place).map(isInColumn), isInJson(column)].join(' AND '),
      ),
    ),
  ]
  const ofJson = computedOnce(propertyValuesSql(wanted, 'properties', texts))
  const jsonRows = inJson.map((part) => `SELECT ${columns}, ${ofJson} AS facts FROM events WHERE ${short} AND ${part}`)
  const read = tableOf(jsonRows.join(' UNION ALL '), parsesInParallel)
  const fromJson = `SELECT * EXCLUDE (facts), ${unpackedFacts(wanted, 'facts')} FROM ${read}`
  if (inColumns.length === 0) return [fromJson]
  const ofColumns = columnFacts(wanted, held, texts)
  const fromColumns = inColumns.map((segment) => {
    const conditions = [within(segment), ...marked.map(isInColumn)].join(' AND ')
    return `SELECT ${columns}, ${ofColumns} FROM events WHERE ${short} AND ${conditions}`
  })
  return [fromJson, ...fromColumns]
}

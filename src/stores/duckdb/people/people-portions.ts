/**
 * Rows of people by where and how their properties are read: from columns where a row has the values of all that is asked,
 * else from the JSON. Parsing JSON takes five times the memory of its text, for 2,048 rows at once and for each thread (see
 * ../properties/property-sql.ts): what is known to be narrow is read by all threads, everything else in rows by one.
 */
import type { KnownPersonProperties, PersonColumn } from '../properties/person-columns.ts'
import { singleThreaded } from '../properties/property-sql.ts'
import { isInColumn, isInJson } from '../properties/property-value.ts'
import { int } from '../values/literal.ts'
import { PEOPLE, type Portion } from './current-people.ts'

/** In bytes: 2,048 rows of it take 20 MB to parse, in each of at most four threads. */
const NARROW = 2_048

/** SQL of conditions on `row`; together they are all rows that hold their properties. */
export const SHORT_ROWS: { where: string; isWide: boolean }[] = [
  { where: `row.long_id IS NULL AND row.width <= ${NARROW}`, isWide: false },
  { where: `row.long_id IS NULL AND row.width > ${NARROW}`, isWide: true },
  { where: 'row.long_id IS NULL AND row.width IS NULL', isWide: true },
]

/** All others: their properties are in `long_texts`. */
export const LONG_ROWS = 'row.long_id IS NOT NULL'

/** Rows whose properties are read in the same way. */
export interface PeoplePortion extends Portion {
  /** The columns of what is asked; null: the properties are read. */
  columns: PersonColumn[] | null
  /** By one thread. */
  isWide: boolean
  /** From `long_texts`. */
  isLong: boolean
}

const [MAIN, FRESH] = PEOPLE

const shortPortions = (where: string, sides: Portion['sides']): PeoplePortion[] =>
  SHORT_ROWS.map((rows) => ({
    where: `${where} AND ${rows.where}`,
    isWide: rows.isWide,
    isLong: false,
    columns: null,
    sides,
  }))

const longPortion = (where: string): PeoplePortion => ({
  where: `${where} AND ${LONG_ROWS}`,
  isWide: false,
  isLong: true,
  columns: null,
  sides: PEOPLE,
})

/** All rows under the condition, by the size of their properties. */
export const portionsByWidth = (where: string): PeoplePortion[] => [...shortPortions(where, PEOPLE), longPortion(where)]

/** All rows under the condition, for reading the values of these keys. */
export function portionsFor(
  where: string,
  keys: string[],
  { columns: known, set }: KnownPersonProperties,
): PeoplePortion[] {
  const columns = known.filter(({ key }) => keys.includes(key))
  if (columns.length === 0 || columns.length < new Set(keys).size) return portionsByWidth(where)
  const sets = `BETWEEN ${int(Math.max(...columns.map(({ since }) => since)))} AND ${int(set)}`
  const filled = `${where} AND row.long_id IS NULL AND row.column_set ${sets}`
  // Each row once: under the first key whose value is only in the JSON.
  const marked = columns.map((column, place) =>
    [filled, ...columns.slice(0, place).map(isInColumn), isInJson(column)].join(' AND '),
  )
  return [
    {
      where: [filled, ...columns.map(isInColumn)].join(' AND '),
      isWide: false,
      isLong: false,
      columns,
      sides: [MAIN],
    },
    ...[`${where} AND row.column_set NOT ${sets}`, ...marked].flatMap((some) => shortPortions(some, [MAIN])),
    ...shortPortions(where, [FRESH]),
    longPortion(where),
  ]
}

/** SQL of these columns of its rows, by as many threads as their size allows. */
export const portionSql = ({ sides, where, isWide }: PeoplePortion, projectId: number, columns: string): string =>
  sides
    .map((side) => side.rows({ projectId, columns, where }))
    .map((rows) => (isWide ? `SELECT * FROM ${singleThreaded(rows)}` : rows))
    .join(' UNION ALL ')

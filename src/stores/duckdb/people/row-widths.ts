/**
 * Rows of people by how their properties may be read. Parsing JSON takes five times the memory of its text, for 2,048
 * rows at once and for each thread (see ../properties/property-sql.ts): what is known to be narrow is read by all threads,
 * everything else in rows by one.
 */
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
export interface WidthPortion extends Portion {
  /** By one thread. */
  isWide: boolean
  /** From `long_texts`. */
  isLong: boolean
}

/** All rows under the condition. */
export const portionsByWidth = (where: string): WidthPortion[] =>
  [...SHORT_ROWS.map((rows) => ({ ...rows, isLong: false })), { where: LONG_ROWS, isWide: false, isLong: true }].map(
    (rows) => ({ ...rows, where: `${where} AND ${rows.where}`, sides: PEOPLE }),
  )

/** All people with something computed from their properties, as SQL. */
import { singleThreaded } from '../listing/property-sql.ts'
import { PEOPLE } from './current-people.ts'
import { LONG_ROWS, SHORT_ROWS } from './row-widths.ts'

interface Valued {
  /** SQL over `row.properties`. */
  inRow: string
  /** SQL over `row.long_id`, for properties too long for a row; null: these people are left out. */
  inLong: string | null
}

/** `person_id` and `name`, the computed value. */
export function valuedPeople(projectId: number, name: string, { inRow, inLong }: Valued): string {
  const sides = (value: string, where: string) =>
    PEOPLE.map((side) => side({ projectId, columns: `row.person_id, ${value} AS ${name}`, where }))
  const short = SHORT_ROWS.flatMap(({ where, isWide }) =>
    sides(inRow, where).map((rows) => (isWide ? `FROM ${singleThreaded(rows)}` : rows)),
  )
  return [...short, ...(inLong === null ? [] : sides(inLong, LONG_ROWS))].join(' UNION ALL ')
}

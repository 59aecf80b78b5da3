/**
 * Which of some persons fit which filters. Their rows are copied first: a condition on properties beside one on ids
 * would be computed for all people, and a long list of ids in each part of a statement takes longer to read than the
 * rows.
 */
import { BIGINT, type DuckDBConnection, LIST, listValue } from '@duckdb/node-api'
import type { PropertyFilter } from '../../../model/persons/person.ts'
import { FITTED_AT_ONCE, NOBODY } from '../../../model/persons/person-search.ts'
import { readWithinMemory } from '../listing/memory-limited-read.ts'
import type { Parts } from '../progress.ts'
import { matchesMissing, satisfiesSql, singleThreaded, withoutBrokenPatterns } from '../properties/property-sql.ts'
import { Texts } from '../values/bound-texts.ts'
import { current, PEOPLE } from './current-people.ts'
import { matchLong } from './person-matches.ts'
import { LONG_ROWS, SHORT_ROWS } from './row-widths.ts'

/** The rows of the persons asked for. */
const ROWS = 'temp.asked_people'

async function copyRows(connection: DuckDBConnection, projectId: number, personIds: number[]): Promise<void> {
  const columns = 'row.person_id, row.properties, row.long_id, row.width'
  const rows = current(PEOPLE, { projectId, columns, where: 'row.person_id IN (SELECT unnest($1))' })
  await connection.run(`CREATE TEMP TABLE asked_people AS ${rows}`, [listValue(personIds.map(BigInt))], [LIST(BIGINT)])
}

type Note = (personId: number, filter: number) => void

async function fitShort(connection: DuckDBConnection, filters: PropertyFilter[], note: Note): Promise<void> {
  const texts = new Texts()
  const parts = SHORT_ROWS.map(({ where, isWide }) => {
    const results = filters.map((filter) => satisfiesSql(filter, 'row.properties', texts))
    const part = `SELECT row.person_id, ${results.join(', ')} FROM ${ROWS} AS row WHERE ${where}`
    return isWide ? `FROM ${singleThreaded(part)}` : part
  })
  for (const [id, ...results] of await texts.rows(connection, parts.join(' UNION ALL '))) {
    for (const [filter, isFit] of results.entries()) if (isFit) note(Number(id), filter)
  }
}

async function fitLong(connection: DuckDBConnection, filters: PropertyFilter[], note: Note): Promise<void> {
  const found = await connection.runAndReadAll(
    `SELECT row.long_id, row.person_id FROM ${ROWS} AS row WHERE ${LONG_ROWS}`,
  )
  const persons = new Map(found.getRows().map(([longId, id]) => [longId as bigint, Number(id)]))
  const matches = await matchLong(connection, [...persons.keys()], filters)
  for (const [place, filter] of filters.entries()) {
    for (const longId of matches.get(filter) ?? []) note(persons.get(longId) as number, place)
  }
}

const fitsNobody = (filter: PropertyFilter): boolean => {
  if (!('join' in filter)) return matchesMissing(filter)
  return filter.join === 'AND' ? filter.of.every(fitsNobody) : filter.of.some(fitsNobody)
}

export async function personsThatFit(
  parts: Parts,
  projectId: number,
  personIds: number[],
  asked: PropertyFilter[],
): Promise<number[][]> {
  if (personIds.length > FITTED_AT_ONCE) throw new Error(`At most ${FITTED_AT_ONCE} persons are looked at at once.`)
  if (personIds.length === 0) return asked.map(() => [])
  return readWithinMemory(parts, async (connection) => {
    const filters: PropertyFilter[] = []
    for (const filter of asked) filters.push(await withoutBrokenPatterns(connection, filter))
    const fitting = filters.map((filter) => (personIds.includes(NOBODY) && fitsNobody(filter) ? [NOBODY] : []))
    const note: Note = (personId, filter) => fitting[filter]?.push(personId)
    await copyRows(connection, projectId, personIds)
    try {
      await fitShort(connection, filters, note)
      await fitLong(connection, filters, note)
    } finally {
      await connection.run(`DROP TABLE ${ROWS}`)
    }
    return fitting
  })
}

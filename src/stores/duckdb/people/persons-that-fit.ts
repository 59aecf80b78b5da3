/**
 * Which of some persons fit which filters. Rows whose properties have to be read are copied first: a condition on
 * properties beside one on ids would be computed for all people. The ids are in a table, too: a long list of them in each
 * part of a statement takes longer to read than the rows.
 */
import { BIGINT, type DuckDBConnection, LIST, listValue } from '@duckdb/node-api'
import type { PropertyFilter } from '../../../model/persons/person.ts'
import { FITTED_AT_ONCE, NOBODY } from '../../../model/persons/person-search.ts'
import { fitsNobody, leavesOf } from '../../property-filter.ts'
import { inSnapshot, readWithinMemory } from '../listing/memory-limited-read.ts'
import type { Parts } from '../progress.ts'
import type { KnownPersonProperties } from '../properties/person-columns.ts'
import { satisfiesSql, singleThreaded, valuesSatisfy, withoutBrokenPatterns } from '../properties/property-sql.ts'
import { columnValues } from '../properties/property-value.ts'
import { Texts } from '../values/bound-texts.ts'
import { current, presentPortions } from './current-people.ts'
import { LONG_ROWS, type PeoplePortion, portionsFor, SHORT_ROWS } from './people-portions.ts'
import { matchLong } from './person-matches.ts'

/** The persons asked for, and the rows of those whose properties are read. */
const IDS = 'temp.asked_ids'
const ROWS = 'temp.asked_people'

const IS_ASKED = `row.person_id IN (SELECT person_id FROM ${IDS})`

type Note = (personId: number, filter: number) => void

async function noteResults(connection: DuckDBConnection, sql: string, texts: Texts, note: Note): Promise<void> {
  for (const [id, ...results] of await texts.rows(connection, sql)) {
    for (const [filter, isFit] of results.entries()) if (isFit) note(Number(id), filter)
  }
}

async function fitColumns(
  connection: DuckDBConnection,
  projectId: number,
  { sides, where, columns }: PeoplePortion,
  filters: PropertyFilter[],
  note: Note,
): Promise<void> {
  const texts = new Texts()
  const under = columnValues(columns ?? [])
  const results = filters.map((filter) => valuesSatisfy(filter, under, texts))
  const rows = { projectId, columns: ['row.person_id', ...results].join(', '), where: `${where} AND ${IS_ASKED}` }
  await noteResults(connection, current(sides, rows), texts, note)
}

async function copyRows(connection: DuckDBConnection, projectId: number, portions: PeoplePortion[]): Promise<void> {
  const columns = 'row.person_id, row.properties, row.long_id, row.width'
  const rows = portions.map(({ sides, where }) =>
    current(sides, { projectId, columns, where: `${where} AND ${IS_ASKED}` }),
  )
  await connection.run(`CREATE TEMP TABLE asked_people AS ${rows.join(' UNION ALL ')}`)
}

async function fitShort(connection: DuckDBConnection, filters: PropertyFilter[], note: Note): Promise<void> {
  const texts = new Texts()
  const parts = SHORT_ROWS.map(({ where, isWide }) => {
    const results = filters.map((filter) => satisfiesSql(filter, 'row.properties', texts))
    const part = `SELECT ${['row.person_id', ...results].join(', ')} FROM ${ROWS} AS row WHERE ${where}`
    return isWide ? `FROM ${singleThreaded(part)}` : part
  })
  await noteResults(connection, parts.join(' UNION ALL '), texts, note)
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

/** In a snapshot, with which the tables go after an error. */
async function fitAll(
  connection: DuckDBConnection,
  projectId: number,
  filters: PropertyFilter[],
  known: KnownPersonProperties,
  note: Note,
): Promise<void> {
  const keys = filters.flatMap(leavesOf).map(({ key }) => key)
  const portions = await presentPortions(connection, projectId, portionsFor('true', keys, known))
  const inColumns = portions.find(({ columns }) => columns)
  if (inColumns) await fitColumns(connection, projectId, inColumns, filters, note)
  const others = portions.filter((portion) => portion !== inColumns)
  if (others.length === 0) return
  await copyRows(connection, projectId, others)
  await fitShort(connection, filters, note)
  await fitLong(connection, filters, note)
  await connection.run(`DROP TABLE ${ROWS}`)
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
    const known = { ...parts.personProperties }
    const filters: PropertyFilter[] = []
    for (const filter of asked) filters.push(await withoutBrokenPatterns(connection, filter))
    const fitting = filters.map((filter) => (personIds.includes(NOBODY) && fitsNobody(filter) ? [NOBODY] : []))
    await inSnapshot(connection, async () => {
      const ids = listValue(personIds.map(BigInt))
      await connection.run('CREATE TEMP TABLE asked_ids AS SELECT unnest($1) AS person_id', [ids], [LIST(BIGINT)])
      await fitAll(connection, projectId, filters, known, (personId, filter) => fitting[filter]?.push(personId))
      await connection.run(`DROP TABLE ${IDS}`)
    })
    return fitting
  })
}

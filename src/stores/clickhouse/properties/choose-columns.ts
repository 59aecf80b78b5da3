/** Gives columns to the keys that are common among the latest rows of a project, as far as there is room. */
import { COLUMN_LIMITS, COMMON, widthOf } from '../../common-keys.ts'
import { isRead, latestRange } from '../listing/latest-events.ts'
import type { Parts, Reading } from '../parts.ts'
import { reading } from '../parts.ts'
import { int } from '../values/literal.ts'
import {
  addColumns,
  type ColumnsByKey,
  PROPERTY_TABLES,
  type PropertyColumn,
  type PropertyTable,
} from './property-columns.ts'
import { isNumberSql } from './property-sql.ts'

/** Rows of a project that are looked at. */
const LOOKED_AT = 16_000
/** So large a part of the values makes a column of numbers worthwhile. */
const OFTEN_A_NUMBER = 0.05

interface Looked extends PropertyColumn {
  rows: number
}

/** SQL of a condition on the latest rows. */
async function latestEvents(asked: Reading, project: string): Promise<string> {
  const range = await latestRange(asked, project, LOOKED_AT)
  return `${project} AND ${await isRead(asked, project, range)}`
}

const latestPersons = (project: string): string =>
  `${project} AND person_id GLOBAL IN (
    SELECT person_id FROM persons WHERE ${project} GROUP BY person_id ORDER BY person_id DESC LIMIT ${LOOKED_AT})`

/** The keys that are common in the project, the most frequent first. */
async function lookAt(asked: Reading, table: PropertyTable, projectId: number): Promise<Looked[]> {
  const project = `project_id = ${int(projectId)}`
  const latest = table === 'events' ? await latestEvents(asked, project) : latestPersons(project)
  const [[all] = []] = await asked.rows(`SELECT count() FROM ${table} WHERE ${latest}`)
  if (Number(all) < COLUMN_LIMITS[table].fewestRows) return []
  const found = await asked.rows(`SELECT name, count() AS having_key, uniqExact(value), sum(length(value)),
      countIf(${isNumberSql('value')}) FROM ${table} ARRAY JOIN keys AS name, vals AS value
    WHERE ${latest} GROUP BY name HAVING having_key >= ${int(Math.ceil(Number(all) * COMMON))}
    ORDER BY having_key DESC, name`)
  return found.map(([key, ...counts]) => {
    const [rows, different, bytes, numbers] = counts.map(Number) as [number, number, number, number]
    const width = widthOf(rows, different, bytes)
    return { key: key as string, rows, width, hasNumber: numbers >= rows * OFTEN_A_NUMBER }
  })
}

/** Of these keys those that get columns. */
function placesFor(table: PropertyTable, keys: Looked[], known: ColumnsByKey): PropertyColumn[] {
  const { room, valueBytes } = COLUMN_LIMITS[table]
  const given: PropertyColumn[] = []
  let bytes = [...known.values()].reduce((sum, { width }) => sum + width, 0)
  for (const { key, hasNumber, width } of keys) {
    const isFull = known.size + given.length >= room.columns || bytes + width > room.bytes
    if (known.has(key) || width > valueBytes || isFull) continue
    given.push({ key, hasNumber, width })
    bytes += width
  }
  return given
}

export async function chooseColumns(parts: Parts, projects: Iterable<number>): Promise<void> {
  for (const projectId of projects) {
    parts.columns.forget()
    const asked = await reading(parts)
    for (const table of PROPERTY_TABLES) {
      const keys = await lookAt(asked, table, projectId)
      await addColumns(parts.servers, table, placesFor(table, keys, asked.columns[table]))
    }
  }
  parts.columns.forget()
}

/**
 * Which keys of people get columns: those that many people of a project have. Values need not repeat: e-mails are what
 * people are searched by. All of them are looked at again when a part of the rows is new, in a sample of the table.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import type { Limits } from '../progress.ts'
import { type LookedRows, scanKeys } from '../properties/key-blocks.ts'
import type { KnownPersonProperties, PersonColumn } from '../properties/person-columns.ts'
import { int } from '../values/literal.ts'
import { type ChosenColumns, candidatesFor, commonKeys, frequencyIn, givePlaces, lookAt } from './choose-columns.ts'

/** Neighbours, which the engine reads together. */
const VECTOR_ROWS = 2_048
/** About so many of them. */
const SAMPLE_ROWS = 8 * VECTOR_ROWS

/** Of all rows of `persons`, every n-th vector. */
function sampleOf(rows: number): LookedRows {
  const every = Math.max(1, Math.floor(rows / SAMPLE_ROWS))
  return { table: 'persons', where: `(rowid // ${VECTOR_ROWS}) % ${int(every)} = 0 AND NOT deleted` }
}

/** Given the number of rows of `persons`. */
export async function choosePersonColumns(
  connection: DuckDBConnection,
  known: KnownPersonProperties,
  rows: number,
  limits: Limits,
): Promise<ChosenColumns<PersonColumn>> {
  const room = { columns: limits.personColumns, bytes: limits.allPersonColumnBytes }
  const sample = sampleOf(rows)
  const scanned = await scanKeys(connection, sample)
  const frequency = frequencyIn(scanned)
  const have = known.columns.map(({ key }) => key)
  const common = commonKeys(scanned, limits.commonPersons).filter((key) => !have.includes(key))
  const candidates = candidatesFor(common, known.columns, frequency, room)
  const looked = await lookAt(connection, [...have, ...candidates], sample, limits)
  const kinds = new Map(looked.map(({ key, kind }) => [key, kind]))
  // Values of another kind would all be read from the JSON. One of mixed kinds stays: at the limit it would come and go.
  const columns = known.columns.filter(({ key, kind }) => (kinds.get(key) ?? kind) === kind)
  const fit = looked.filter(
    ({ key, width }) => !columns.some((column) => column.key === key) && width <= limits.personColumnBytes,
  )
  let { set } = known
  return givePlaces(fit, { ...known, columns }, frequency, room, (column) => {
    set += 1
    return { ...column, hasNull: true, since: set }
  })
}

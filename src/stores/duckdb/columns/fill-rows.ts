/** Fills columns of common properties from the JSON of some rows. */
import type { DuckDBConnection } from '@duckdb/node-api'
import type { LookedRows } from '../properties/key-blocks.ts'
import { KINDS, MAX_BYTES, nameOf, type PropertyColumn, type PropertyKind } from '../properties/property-columns.ts'
import { jsonPointer, singleThreaded } from '../properties/property-sql.ts'
import { columnNumber } from '../properties/property-value.ts'
import { Texts } from '../values/bound-texts.ts'

/** SQL of what the column holds, given the text form of the value, which is of the column's kind; NULL: it cannot. */
const HELD: Record<PropertyKind, (text: string) => string> = {
  string: (text) => `CASE WHEN strlen(${text}) <= ${MAX_BYTES} AND ${text} < ${KINDS.string.null} THEN ${text} END`,
  number: columnNumber,
  boolean: (text) => `(${text} = 'true')::UTINYINT`,
}

/** The JSON types of values of a kind. */
const TYPES: Record<PropertyKind, string> = {
  string: `'VARCHAR'`,
  number: `'BIGINT', 'UBIGINT', 'DOUBLE'`,
  boolean: `'BOOLEAN'`,
}

/** SQL of a column's value, given that of the text form under its key and of its JSON type. */
function valueSql({ kind }: PropertyColumn, text: string, type: string): string {
  const { null: ofNull, inJson } = KINDS[kind]
  return `CASE WHEN ${type} IN (${TYPES[kind]}) THEN coalesce(${HELD[kind](text)}, ${inJson})
    WHEN ${type} = 'NULL' THEN ${ofNull} WHEN ${type} IS NOT NULL THEN ${inJson} END`
}

/** Those whose properties are in the row. Two functions read all keys: one value at a time would take three times as long. */
export async function fillRows(
  connection: DuckDBConnection,
  columns: PropertyColumn[],
  { table, where }: LookedRows,
): Promise<void> {
  const texts = new Texts()
  const pointers = texts.list(columns.map(({ key }) => jsonPointer(key)))
  const json = singleThreaded(
    `SELECT rowid AS row, json_extract_string(properties, ${pointers}) AS text, json_type(properties, ${pointers}) AS type
      FROM ${table} WHERE ${where} AND long_id IS NULL`,
  )
  const values = columns.map(
    (column, place) => `${valueSql(column, `text[${place + 1}]`, `type[${place + 1}]`)} AS ${nameOf(column)}`,
  )
  await texts.rows(
    connection,
    `UPDATE ${table} SET ${columns.map((column) => `${nameOf(column)} = filled.${nameOf(column)}`).join(', ')}
      FROM (SELECT row, ${values.join(', ')} FROM ${json}) AS filled WHERE ${table}.rowid = filled.row AND ${where}`,
  )
}

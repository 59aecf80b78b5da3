/**
 * SQL of one value under a key: as JSON, or of a row whose common properties are in columns. Both forms answer alike,
 * whatever the value is.
 */
import { MAX_SHORT_TEXT } from '../../property-filter.ts'
import { KINDS, nameOf, type PropertyColumn, type PropertyKind } from './property-columns.ts'

/** What can be asked of a value. Each is SQL and NULL where there is none. */
export interface PropertyValue {
  /** The text form: strings as they are, all else as JSON; NULL when there is no value or it is a JSON null. */
  text: string
  /** Whether the key is there; never NULL. */
  isSet: string
  /** The number of a JSON number. */
  number: string
  /** The number; also of text that contains a number, with spaces removed. */
  numeric: string
  /** SQL of `expression` over the text, which may use it several times. */
  onText: (expression: (text: string) => string) => string
  /** The same, NULL when the text is too long for a number, a date or a version. */
  onShortText: (expression: (text: string) => string) => string
  /** Milliseconds, where they are known; else they are read from the text. */
  instant?: string
}

const short = (text: string, expression: string): string =>
  `CASE WHEN length(${text}) <= ${MAX_SHORT_TEXT} THEN ${expression} END`

/** Bound once to `t`: each use of a text that may be long copies it again. */
const bound = (text: string, expression: (text: string) => string): string =>
  `list_transform([${text}], lambda t: ${expression('t')})[1]`

const onShort = (text: string, expression: (text: string) => string): string =>
  bound(text, (t) => short(t, expression(t)))

const NUMBERS = `'BIGINT', 'UBIGINT', 'HUGEINT', 'DOUBLE'`
const DECIMAL = String.raw`^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$`

const decimal = (text: string): string =>
  `CASE WHEN regexp_matches(${text}, '${DECIMAL}') AND isfinite(try_cast(${text} AS DOUBLE)) THEN ${text}::DOUBLE END`

const withoutSpaces = (text: string): string => `replace(${text}, ' ', '')`

/** The number that a short text contains. */
const numericText = (text: string): string => short(withoutSpaces(text), decimal(withoutSpaces(text)))

/** `value`: SQL of the JSON under the key, NULL when it is not there. */
export function jsonValue(value: string): PropertyValue {
  const text = `(${value} ->> '$')`
  return {
    text,
    isSet: `${value} IS NOT NULL`,
    number: `CASE WHEN json_type(${value}) IN (${NUMBERS}) THEN try_cast(${text} AS DOUBLE) END`,
    numeric: `CASE WHEN json_type(${value}) IN ('VARCHAR', ${NUMBERS}) THEN ${onShort(withoutSpaces(text), decimal)} END`,
    onText: (expression) => bound(text, expression),
    onShortText: (expression) => onShort(text, expression),
  }
}

/** As JSON has it; only for numbers that the engine writes like JSON, see columnNumber. NULL of a mark. */
const numberText = (number: string): string =>
  `CASE WHEN ${number} = trunc(${number}) THEN try_cast(${number} AS BIGINT)::VARCHAR ELSE ${number}::VARCHAR END`

/** SQL of the number that a text is, NULL when that would not be written as the same text. */
export const columnNumber = (text: string): string =>
  `CASE WHEN abs(try_cast(${text} AS DOUBLE)) <= ${Number.MAX_SAFE_INTEGER}
    AND ${numberText(`try_cast(${text} AS DOUBLE)`)} = ${text} THEN try_cast(${text} AS DOUBLE) END`

const WORDS = `WHEN 0 THEN 'false' WHEN 1 THEN 'true'`

/** SQL of whether the value is only in the JSON. */
export const isInJson = (column: PropertyColumn): string => `${nameOf(column)} = ${KINDS[column.kind].inJson}`

/** SQL of whether the column has the value, or there is none. */
export const isInColumn = (column: PropertyColumn): string =>
  `${nameOf(column)} IS DISTINCT FROM ${KINDS[column.kind].inJson}`

/** `value`: SQL of what is of this kind, NULL when there is none; `name`: of the same, or of a mark of a null. */
export function valueOfKind(kind: PropertyKind, name: string, value = name): PropertyValue {
  const texts: Record<PropertyKind, string> = {
    string: value,
    number: numberText(value),
    boolean: `CASE ${name} ${WORDS} END`,
  }
  const text = texts[kind]
  return {
    text,
    isSet: `${name} IS NOT NULL`,
    number: kind === 'number' ? value : 'NULL::DOUBLE',
    numeric: { string: numericText(text), number: value, boolean: 'NULL::DOUBLE' }[kind],
    onText: (expression) => expression(text),
    onShortText: (expression) => short(text, expression(text)),
  }
}

/** Of a row whose value is in the column, or that has none. */
function columnValue(column: PropertyColumn): PropertyValue {
  const name = nameOf(column)
  return valueOfKind(column.kind, name, column.hasNull ? `nullif(${name}, ${KINDS[column.kind].null})` : name)
}

/** Of a date that is there: nothing but its milliseconds is asked for. */
export const dateValue = (instant: string): PropertyValue => ({ ...MISSING, isSet: 'true', instant })

/** SQL of the text of the column's value as it is listed (see listedSql); NULL when there is none. */
export const listedInColumn = (column: PropertyColumn): string =>
  column.kind === 'boolean' ? `CASE ${nameOf(column)} WHEN 0 THEN '0' WHEN 1 THEN '1' END` : columnValue(column).text

/** The values in these columns; other keys are not there. */
export function columnValues(columns: PropertyColumn[]): (key: string) => PropertyValue {
  const values = new Map(columns.map((column) => [column.key, columnValue(column)]))
  return (key) => values.get(key) ?? MISSING
}

/** Of a key that is not there. */
const MISSING: PropertyValue = {
  text: 'NULL::VARCHAR',
  isSet: 'false',
  number: 'NULL::DOUBLE',
  numeric: 'NULL::DOUBLE',
  onText: (expression) => expression('NULL::VARCHAR'),
  onShortText: (expression) => short('NULL::VARCHAR', expression('NULL::VARCHAR')),
}

/**
 * Properties as parallel lists, one entry for each key: the value, and what a filter may ask of it, worked out once, when it
 * is stored. A value is a string after a quote, without escapes, or the JSON of anything else; so its first character tells
 * its type, and the object is put together again without loss.
 */
import { readNumeric } from '../../../lib/text/numeric.ts'
import { readInstant, SECOND } from '../../../lib/time/time.ts'
import type { Properties } from '../../../model/persons/person.ts'
import { MAX_SHORT_TEXT } from '../../property-filter.ts'
import type { RowWriter } from './row-binary.ts'

export interface PropertyArrays {
  keys: string[]
  values: string[]
  /** Of a number, or of text that contains one; NaN: none. */
  numbers: number[]
  /** In milliseconds; NaN: none. */
  instants: number[]
}

/** Before the text of a string. */
export const STRING_MARK = '"'

const UNIX_SECONDS = /^\d{9,10}(?:\.\d+)?$/
const UNIX_MILLISECONDS = /^\d{12,13}(?:\.\d+)?$/

/** What a number or an instant may begin with, after any white space; most texts do not, and are looked at no further. */
const BEGINS_NUMBER = /^\s*[\d+.-]/

function numberOf(value: unknown): number {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || !BEGINS_NUMBER.test(value)) return Number.NaN
  const short = value.length <= MAX_SHORT_TEXT ? value : value.replaceAll(' ', '')
  return short.length <= MAX_SHORT_TEXT ? (readNumeric(short) ?? Number.NaN) : Number.NaN
}

/** Of a text form: ISO 8601, or Unix seconds or milliseconds, told apart by their length. */
function instantIn(text: string): number {
  if (text.length > MAX_SHORT_TEXT || !BEGINS_NUMBER.test(text)) return Number.NaN
  if (UNIX_SECONDS.test(text)) return Number(text) * SECOND
  if (UNIX_MILLISECONDS.test(text)) return Number(text)
  return readInstant(text) ?? Number.NaN
}

/** Exponents have no plus, as everywhere. */
function textOf(value: unknown): string {
  if (typeof value === 'number') return JSON.stringify(value).replace('e+', 'e')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** `json`: an object. */
export function propertyArrays(json: string): PropertyArrays {
  const properties = JSON.parse(json) as Properties
  const keys = Object.keys(properties)
  const arrays: PropertyArrays = { keys, values: [], numbers: [], instants: [] }
  for (const key of keys) {
    const value = properties[key]
    const text = textOf(value)
    arrays.values.push(typeof value === 'string' ? STRING_MARK + text : text)
    arrays.numbers.push(numberOf(value))
    arrays.instants.push(instantIn(text))
  }
  return arrays
}

/** In the order of the columns `keys`, `vals`, `nums`, `instants`. */
export function writeProperties(row: RowWriter, { keys, values, numbers, instants }: PropertyArrays): void {
  row.list(keys, (key) => row.text(key))
  row.list(values, (value) => row.text(value))
  row.list(numbers, (number) => row.double(number))
  row.list(instants, (instant) => row.double(instant))
}

/** The JSON of one value. */
const jsonOf = (value: string): string =>
  value.startsWith(STRING_MARK) ? JSON.stringify(value.slice(STRING_MARK.length)) : value

/** The object that the lists were made of. */
export const propertiesOf = (keys: string[], values: string[]): Properties =>
  JSON.parse(`{${keys.map((key, place) => `${JSON.stringify(key)}:${jsonOf(values[place] as string)}`).join(',')}}`)

/**
 * Properties as parallel lists, one entry for each key: the value, and what a filter may ask of it, worked out once, when it
 * is stored. A value is a string after a quote, without escapes, or the JSON of anything else; so its first character tells
 * its type, and the object is put together again without loss.
 */
import { readNumeric } from '../../../lib/text/numeric.ts'
import { readInstant, SECOND } from '../../../lib/time/time.ts'
import type { Properties } from '../../../model/persons/person.ts'
import { MAX_SHORT_TEXT, textForm } from '../../property-filter.ts'
import type { RowWriter } from './row-binary.ts'

/** In the order of the object. */
export interface PropertyLists {
  keys: string[]
  values: unknown[]
  /** The strings, and of anything else the JSON. */
  texts: string[]
}

/** Before the text of a string. */
export const STRING_MARK = '"'

const UNIX_SECONDS = /^\d{9,10}(?:\.\d+)?$/
const UNIX_MILLISECONDS = /^\d{12,13}(?:\.\d+)?$/

const [ZERO, NINE, DASH] = [48, 57, 45]
const LAST_OF_ASCII = 0x7f
const UUID_LENGTH = 36

/** Numbers and instants that begin with a digit have no dashes in these two places; most events have several UUIDs. */
const isLikeUuid = (text: string): boolean =>
  text.length === UUID_LENGTH && text.charCodeAt(8) === DASH && text.charCodeAt(13) === DASH

/** Whether it is, as its look tells, neither a number nor an instant, nor white space before one: so are most texts. */
function isOther(text: string): boolean {
  const code = text.charCodeAt(0)
  return code > NINE ? code <= LAST_OF_ASCII : code >= ZERO && isLikeUuid(text)
}

/** Of a number, or of text that contains one; NaN: none. */
function numberOf(value: unknown): number {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return Number.NaN
  const short = value.length <= MAX_SHORT_TEXT ? value : value.replaceAll(' ', '')
  return short.length <= MAX_SHORT_TEXT ? (readNumeric(short) ?? Number.NaN) : Number.NaN
}

/** Of a text form, in milliseconds: ISO 8601, or Unix seconds or milliseconds, told apart by their length. NaN: none. */
function instantIn(text: string): number {
  if (text.length > MAX_SHORT_TEXT) return Number.NaN
  if (UNIX_SECONDS.test(text)) return Number(text) * SECOND
  if (UNIX_MILLISECONDS.test(text)) return Number(text)
  return readInstant(text) ?? Number.NaN
}

/** `json`: an object. */
export function propertyLists(json: string): PropertyLists {
  const properties = JSON.parse(json) as Properties
  const values = Object.values(properties)
  return { keys: Object.keys(properties), values, texts: values.map(textForm) }
}

/** By their number, the keys that were written last, with their bytes: most events of a client have the same. */
const lastKeys = new Map<number, { keys: string[]; bytes: Buffer }>()
const MOST_KEYS = 200

function writeKeys(row: RowWriter, keys: string[]): void {
  const last = lastKeys.get(keys.length)
  if (last?.keys.every((key, place) => key === keys[place])) {
    row.again(last.bytes)
    return
  }
  const at = row.length
  row.list(keys, (key) => row.text(key))
  if (keys.length <= MOST_KEYS) lastKeys.set(keys.length, { keys, bytes: row.copyFrom(at) })
}

/** In the order of the columns `keys`, `vals`, `nums`, `instants`. */
export function writeProperties(row: RowWriter, { keys, values, texts }: PropertyLists): void {
  writeKeys(row, keys)
  row.size(values.length)
  for (let place = 0; place < values.length; place++) {
    const text = texts[place] as string
    row.text(text, typeof values[place] === 'string' ? STRING_MARK : '')
  }
  row.size(values.length)
  const numbers = row.nans(values.length)
  row.size(values.length)
  const instants = row.nans(values.length)
  for (let place = 0; place < values.length; place++) {
    const text = texts[place] as string
    if (isOther(text)) continue
    row.replaceDouble(numbers + 8 * place, numberOf(values[place]))
    row.replaceDouble(instants + 8 * place, instantIn(text))
  }
}

/** The JSON of one value. */
const jsonOf = (value: string): string =>
  value.startsWith(STRING_MARK) ? JSON.stringify(value.slice(STRING_MARK.length)) : value

/** The object that the lists were made of. */
export const propertiesOf = (keys: string[], values: string[]): Properties =>
  JSON.parse(`{${keys.map((key, place) => `${JSON.stringify(key)}:${jsonOf(values[place] as string)}`).join(',')}}`)

/**
 * Parameters of persons that come in more than one way: from the JSON body if it has the key, else from the
 * query string, one by one; and query strings that hold JSON.
 */
import { AppError, invalid, invalidFields, type Problem } from '../../lib/errors.ts'
import { type Json, jsonOrText, parseJsonText } from '../../lib/json/json.ts'

type Fields = Record<string, unknown>

/** Undefined when it is in neither. `read` parses the query's text; the body's value is taken as it is. */
function parameter(body: Fields, query: Fields, name: string, read: (text: string) => unknown): unknown {
  if (Object.hasOwn(body, name)) return body[name]
  const text = query[name]
  return typeof text === 'string' ? read(text) : undefined
}

const asIs = (text: string): string => text

const missing = (attr: string): Problem => ({ attr, code: 'required', detail: 'This field is required.' })
const isNull = (attr: string): Problem => ({ attr, code: 'null', detail: 'This field may not be null.' })
const blank = (attr: string): Problem => ({ attr, code: 'blank', detail: 'This field may not be blank.' })

function keyProblem(key: unknown): Problem | null {
  if (key === undefined) return missing('key')
  if (key === null) return isNull('key')
  if (typeof key !== 'string') return { attr: 'key', code: 'invalid_input', detail: 'Not a valid string.' }
  return key === '' ? blank('key') : null
}

/** `value` may be null, but not missing. In the query it is JSON when it parses, else text. */
export function readPropertyToSet(body: Fields, query: Fields): { key: string; value: unknown } {
  const key = parameter(body, query, 'key', asIs)
  const value = parameter(body, query, 'value', jsonOrText)
  const problems = [value === undefined ? missing('value') : null, keyProblem(key)].filter((item) => item !== null)
  if (problems.length > 0) throw invalidFields(problems)
  return { key: key as string, value }
}

const isTextList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

/** A text that looks like a JSON list of texts is one, anything else is a single key. */
function keysOfText(text: string): unknown {
  const value = text.startsWith('[') ? jsonOrText(text) : text
  return isTextList(value) ? value : text
}

/** `$unset`: one key, or a list of them. */
export function readKeysToUnset(body: Fields, query: Fields): string[] {
  const given = parameter(body, query, '$unset', keysOfText)
  if (given === undefined) throw invalidFields([missing('$unset')])
  if (given === null) throw invalidFields([isNull('$unset')])
  if (given === '') throw invalidFields([blank('$unset')])
  if (typeof given === 'string') return [given]
  if (!isTextList(given)) throw invalid('Must be one property key or a list of them.', '$unset')
  return given
}

/** In the query a list is JSON, or texts separated by commas; an id may begin with a bracket, too. */
function listOfText(text: string): unknown {
  const value = text.trimStart().startsWith('[') ? jsonOrText(text) : text
  if (typeof value !== 'string') return value
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** Which ids the caller of split named; null means that the parameter is missing. */
export interface SplitRequest {
  main: string | null
  chosen: string[] | null
}

export function readSplitRequest(body: Fields, query: Fields): SplitRequest {
  const main = parameter(body, query, 'main_distinct_id', asIs) ?? null
  const given = parameter(body, query, 'distinct_ids_to_split', listOfText)
  if (main !== null && typeof main !== 'string') throw invalid('Not a valid string.', 'main_distinct_id')
  // A null is not a list: a caller that sends one by mistake does not want everything split.
  if (given !== undefined && !isTextList(given)) throw invalid('must be a list of strings', 'distinct_ids_to_split')
  if (given?.length === 0) throw invalid('must not be empty', 'distinct_ids_to_split')
  const chosen = given ?? null
  if (main !== null && chosen !== null) {
    throw invalid('main_distinct_id cannot be combined with distinct_ids_to_split')
  }
  return { main, chosen }
}

/** The JSON of a query parameter; undefined when it is absent or empty. */
export function readJsonParameter(text: string | undefined, attr: string, unreadable: string): Json | undefined {
  if (text === undefined || text.trim() === '') return undefined
  try {
    return parseJsonText(text)
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause
    throw invalid(cause.kind === 'malformed' ? unreadable : cause.message, attr)
  }
}

export const UNPARSABLE = 'Properties are unparsable!'

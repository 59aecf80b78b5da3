/**
 * JSON from outside, read strictly. Refused with a sentence: text that is not UTF-8 or not JSON, nesting
 * beyond a bound, integers that a double cannot hold exactly (they would come back changed), and NUL or
 * lone surrogates in any string (no store can keep them). Objects never gain a prototype from their keys.
 */
import { isUtf8 } from 'node:buffer'
import { invalid, malformed } from './errors.ts'

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

export const MAX_JSON_DEPTH = 100

const SUSPECT_ESCAPE = /\\u(?:0000|[dD][89a-fA-F])/
const LONG_DIGITS = /\d{16}/
const BACKSLASH = 92
const QUOTE = 34

/** Index just past the string that opens at `start`; the text's length when it never closes. */
function skipString(text: string, start: number): number {
  let i = start + 1
  while (i < text.length) {
    const code = text.charCodeAt(i)
    if (code === BACKSLASH) i += 2
    else if (code === QUOTE) return i + 1
    else i++
  }
  return i
}

const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/** Index just past the number at `start`; refuses an integer that would come back changed. */
function skipNumber(text: string, start: number): number {
  NUMBER.lastIndex = start
  const literal = NUMBER.exec(text)?.[0]
  if (literal === undefined) return start + 1
  if (/^-?\d+$/.test(literal) && !Number.isSafeInteger(Number(literal))) {
    throw invalid(`The integer ${literal.slice(0, 40)} cannot be kept exactly; send it as text.`)
  }
  return start + literal.length
}

/** Checks depth and long integers on the text itself, before a parser could overflow or round. */
function inspect(text: string, maxDepth: number): void {
  const next = LONG_DIGITS.test(text) ? /["[{\]}\d-]/g : /["[{\]}]/g
  let depth = 0
  for (let match = next.exec(text); match; match = next.exec(text)) {
    const [char] = match
    if (char === '"') next.lastIndex = skipString(text, match.index)
    else if (char === '{' || char === '[') depth++
    else if (char === '}' || char === ']') depth--
    else next.lastIndex = skipNumber(text, match.index)
    if (depth > maxDepth) throw malformed(`JSON parse error - nested deeper than ${maxDepth} levels.`)
  }
}

/** True when the string can be stored by every engine: no NUL, no lone surrogate. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

function assertStorable(value: Json): void {
  if (typeof value === 'string') {
    if (!isStorable(value)) throw invalid('Text must not contain NUL or lone surrogates.')
  } else if (Array.isArray(value)) value.forEach(assertStorable)
  else if (value !== null && typeof value === 'object') {
    for (const [key, item] of Object.entries(value)) {
      assertStorable(key)
      assertStorable(item)
    }
  }
}

/** Reads JSON text under the rules above. */
export function parseJsonText(text: string, maxDepth = MAX_JSON_DEPTH): Json {
  inspect(text, maxDepth)
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch (cause) {
    throw malformed(`JSON parse error - ${(cause as Error).message}`)
  }
  if (SUSPECT_ESCAPE.test(text) || text.includes('\0')) assertStorable(value)
  return value
}

/** Reads JSON bytes under the rules above; a leading byte-order mark is skipped. */
export function parseJsonBytes(bytes: Buffer, maxDepth = MAX_JSON_DEPTH): Json {
  if (!isUtf8(bytes)) throw malformed('JSON parse error - the body is not valid UTF-8.')
  const text = bytes.toString('utf8')
  return parseJsonText(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text, maxDepth)
}

/** Parses if it can, otherwise gives the text itself; integers beyond ±2^53 stay text. */
export function jsonOrText(text: string): Json {
  try {
    return parseJsonText(text)
  } catch {
    if (!isStorable(text)) throw invalid('Text must not contain NUL or lone surrogates.')
    return text
  }
}

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

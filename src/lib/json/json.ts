/**
 * JSON from outside, read strictly. Refused with a sentence: text that is not UTF-8 or not JSON, nesting
 * beyond a bound, integers that a double cannot hold exactly and numbers beyond all doubles (they would come
 * back changed), and NUL or lone surrogates in any string (no store can keep them). Objects never gain a
 * prototype from their keys.
 */
import { isUtf8 } from 'node:buffer'
import { invalid, malformed, tooLarge } from '../errors.ts'
import { type Ends, type Excess, findExcess } from './json-scanner.ts'

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

const MAX_JSON_DEPTH = 100
/** Lists and objects in what parseForeignJson reads. */
export const MAX_NODES = 2_000_000

const SUSPECT_ESCAPE = /\\u(?:0000|[dD][89a-fA-F])/
/** Digits or exponents that a double may not hold. */
const LONG_DIGITS = /\d{16}|\d[eE]\+?\d{3}/
const BACKSLASH = 92
const QUOTE = 34
const MINUS = 45
const ZERO = 48
const NINE = 57
/** What a character outside of strings adds to the depth, by its code. */
const NESTING = new Int8Array(128)
for (const opening of '[{') NESTING[opening.charCodeAt(0)] = 1
for (const closing of ']}') NESTING[closing.charCodeAt(0)] = -1

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

/** Index just past the number at `start`; refuses a number that a double cannot hold: a long integer, an infinite one. */
function skipNumber(text: string, start: number): number {
  NUMBER.lastIndex = start
  const literal = NUMBER.exec(text)?.[0]
  if (literal === undefined) return start + 1
  const value = Number(literal)
  const isInteger = /^-?\d+$/.test(literal)
  if (!Number.isFinite(value) || (isInteger && !Number.isSafeInteger(value))) {
    const kind = isInteger ? 'integer' : 'number'
    throw invalid(`The ${kind} ${literal.slice(0, 40)} cannot be kept exactly; send it as text.`)
  }
  return start + literal.length
}

const tooDeep = (maxDepth: number) => malformed(`JSON parse error - nested deeper than ${maxDepth} levels.`)

/** Checks depth and long integers on the text itself, before a parser could overflow or round. */
function inspect(text: string, maxDepth: number, watchNumbers: boolean): void {
  let depth = 0
  let i = 0
  while (i < text.length) {
    const code = text.charCodeAt(i)
    if (code === QUOTE) i = skipString(text, i)
    else if (watchNumbers && (code === MINUS || (code >= ZERO && code <= NINE))) i = skipNumber(text, i)
    else {
      depth += NESTING[code] ?? 0
      if (depth > maxDepth) throw tooDeep(maxDepth)
      i++
    }
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
  inspect(text, maxDepth, LONG_DIGITS.test(text))
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

/** The parsed value, or the text itself if it is not JSON; integers beyond ±2^53 stay text. */
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

/** Throws the error for the bound that a text exceeds. */
export function refuseExcess(excess: Excess | null, maxDepth: number): void {
  if (excess === 'nodes') throw tooLarge(`maximum event size exceeded: more than ${MAX_NODES} lists and objects`)
  if (excess === 'noted') throw tooLarge('maximum event size exceeded: too many events')
  if (excess === 'depth') {
    throw malformed(`failed to parse request: JSON parse error - nested deeper than ${maxDepth} levels.`)
  }
}

/**
 * Reads JSON that a client we cannot correct has sent: text that is not UTF-8 is repaired, long integers round
 * as JavaScript rounds them. Depth is bounded, and the number of lists and objects too: an empty object is two bytes of
 * text and takes twenty times that once parsed. Strings are not changed; see storable(). `ends`: see findExcess.
 */
export function parseForeignJson(bytes: Buffer, maxDepth: number, ends: Ends | null = null): Json {
  refuseExcess(findExcess(bytes, { depth: maxDepth, nodes: MAX_NODES }, ends), maxDepth)
  const text = bytes.toString('utf8')
  try {
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text) as Json
  } catch (cause) {
    throw malformed(`failed to parse request: ${(cause as Error).message}`)
  }
}

/** The same value with NUL and lone surrogates replaced by U+FFFD in every string and key. */
export function storable(value: Json): Json {
  if (typeof value === 'string') return storableText(value)
  if (Array.isArray(value)) return value.map(storable)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [storableText(key), storable(item)]))
}

export const storableText = (text: string): string =>
  isStorable(text) ? text : text.toWellFormed().replaceAll('\0', '\ufffd')

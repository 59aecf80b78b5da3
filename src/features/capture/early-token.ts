/**
 * The token of a large request, found at the beginning of its text: an unknown one is refused before the rest is
 * unpacked and read. Only where it counts for the request: next to the batch, in a single event, or in the first event
 * of a list. A token that is not there yet, or not certain, is found when everything is read.
 */
import { isJsonObject, type JsonObject } from '../../lib/json/json.ts'
import { eachMember, endOfValue, skipSpace } from '../../lib/json/json-scanner.ts'
import { tokenOf } from './request.ts'

const BRACKET = 0x5b
const BRACE = 0x7b
const NAMES = new Set(['api_key', 'token', '$token'])

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return null
  }
}

/** Those members of the object at `open` that name a token and are complete. */
function namedMembers(text: Buffer, open: number): JsonObject {
  const found: JsonObject = {}
  eachMember(text, open, (name, start) => {
    const end = endOfValue(text, start)
    if (NAMES.has(name) && end < text.length) found[name] = parsed(text.subarray(start, end)) as JsonObject
    return end
  })
  return found
}

/** `text` is the beginning of a JSON text. */
export function earlyToken(text: Buffer): string | null {
  const start = skipSpace(text, 0)
  if (text[start] === BRACE) return tokenOf(namedMembers(text, start))
  const first = text[start] === BRACKET ? skipSpace(text, start + 1) : text.length
  if (text[first] !== BRACE) return null
  const end = endOfValue(text, first)
  const event = end < text.length ? parsed(text.subarray(first, end)) : namedMembers(text, first)
  return isJsonObject(event) ? tokenOf(event) : null
}

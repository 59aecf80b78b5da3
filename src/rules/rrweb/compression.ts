/**
 * The SDK compresses parts of some events by itself (`cv: "2024-10"`): gzip bytes, one character for each. Here they
 * are undone, so that what is stored compresses together and players get plain events. All parts of a request are
 * inflated in one go: their bytes one after the other are a gzip file of several members, and each member's last
 * four bytes say how long its text is. Bounded: what would go beyond the limit, or is no gzip of JSON, leaves its
 * event exactly as it came. Such an event still plays, because players undo the same compression.
 */
import { promisify } from 'node:util'
import { gunzip, gunzipSync } from 'node:zlib'
import { isJsonObject } from '../../lib/json.ts'
import type { RrwebEvent } from './event.ts'

const VERSION = '2024-10'
const FIELDS = ['texts', 'attributes', 'removes', 'adds']
/** A gzip of nothing: ten bytes of head, two of body, eight of tail. */
const SMALLEST = 20
/** Up to here inflating on the spot is cheaper than a trip to the thread pool. */
const AT_ONCE = 16 * 1024

const inflateLater = promisify(gunzip)

/** Compressed part → the JSON text that it holds. */
export type Inflated = ReadonlyMap<string, string>

/** The compressed parts of an event by where they stand: the whole of `data`, or fields of it. */
function partsOf(event: RrwebEvent): string[] {
  if (event.cv !== VERSION) return []
  const { data } = event
  if (typeof data === 'string') return [data]
  if (!isJsonObject(data)) return []
  return FIELDS.map((field) => data[field]).filter((part) => typeof part === 'string')
}

const looksZipped = (part: string): boolean => part.length >= SMALLEST && part.startsWith('\u001f\u008b')

const textLength = (bytes: Buffer): number => bytes.readUInt32LE(bytes.length - 4)

/** Null unless every part is what it says. */
async function inflateAll(members: Buffer[], total: number): Promise<Buffer | null> {
  const joined = Buffer.concat(members)
  try {
    const options = { maxOutputLength: Math.max(1, total) }
    const plain = joined.length <= AT_ONCE ? gunzipSync(joined, options) : await inflateLater(joined, options)
    return plain.length === total ? plain : null
  } catch {
    return null
  }
}

function isOneLineOfJson(text: string): boolean {
  if (text.includes('\n') || text.includes('\r')) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Inflates the parts of these events, `limit` bytes of text at most. */
export async function inflateParts(events: Iterable<RrwebEvent>, limit: number): Promise<Inflated> {
  const found = new Set<string>()
  for (const event of events) for (const part of partsOf(event)) if (looksZipped(part)) found.add(part)
  const parts: { part: string; bytes: Buffer; length: number }[] = []
  let total = 0
  for (const part of found) {
    const bytes = Buffer.from(part, 'latin1')
    const length = textLength(bytes)
    if (total + length > limit) continue
    parts.push({ part, bytes, length })
    total += length
  }
  const inflated = new Map<string, string>()
  const plain =
    parts.length === 0
      ? null
      : await inflateAll(
          parts.map(({ bytes }) => bytes),
          total,
        )
  if (plain === null) return inflated
  let at = 0
  for (const { part, length } of parts) {
    const text = plain.toString('utf8', at, at + length)
    at += length
    if (isOneLineOfJson(text)) inflated.set(part, text)
  }
  return inflated
}

/** The object as JSON, `cv` left out, with the texts of inflated parts in their place. */
function writeObject(fields: object, inflated: Inflated, nested: string | null): string {
  const written: string[] = []
  for (const [name, value] of Object.entries(fields)) {
    if (nested !== null && name === 'cv') continue
    const text = typeof value === 'string' ? inflated.get(value) : undefined
    if (text !== undefined) written.push(`${JSON.stringify(name)}:${text}`)
    else if (name === nested && isJsonObject(value)) written.push(`"${name}":${writeObject(value, inflated, null)}`)
    else written.push(`${JSON.stringify(name)}:${JSON.stringify(value)}`)
  }
  return `{${written.join(',')}}`
}

/** The event as one line of JSON without its compression; null when it has none, or not all of it was inflated. */
export function writeInflated(event: RrwebEvent, inflated: Inflated): string | null {
  const parts = partsOf(event)
  if (parts.length === 0 || !parts.every((part) => inflated.has(part))) return null
  return writeObject(event, inflated, 'data')
}

/** The event as one line of JSON; plain when all its parts were inflated, as it came otherwise. */
export const writeEvent = (event: RrwebEvent, inflated: Inflated): string =>
  writeInflated(event, inflated) ?? JSON.stringify(event)

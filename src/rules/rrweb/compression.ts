/**
 * The SDK compresses parts of some events (`cv: "2024-10"`): gzip, one character per byte. Here they are decompressed,
 * so that stored events compress together and players get plain events. All parts of a request are
 * inflated in one call: concatenated, they are a gzip file of several members, and each member's last
 * four bytes are the length of its text. Bounded: an event whose parts exceed the limit, or are not gzip of JSON, is
 * stored exactly as it was sent. It can still be played, because players decompress it too.
 */
import { inflateAtOnce, inflateInPieces } from '../../lib/bytes/inflate.ts'
import { Slices } from '../../lib/concurrency/time-slices.ts'
import { isJsonObject } from '../../lib/json/json.ts'
import type { RrwebEvent } from './event.ts'

const VERSION = '2024-10'
const FIELDS = ['texts', 'attributes', 'removes', 'adds']
/** The gzip of an empty text: ten bytes of header, two of body, eight of trailer. */
const SMALLEST = 20
/** Called with the number of bytes as they are inflated; may throw. */
export type Hold = (bytes: number) => void

/** Compressed part → its JSON text. */
export type Inflated = ReadonlyMap<string, string>

/** The compressed parts of an event: the whole of `data`, or fields of it. */
function partsOf(event: RrwebEvent): string[] {
  if (event.cv !== VERSION) return []
  const { data } = event
  if (typeof data === 'string') return [data]
  if (!isJsonObject(data)) return []
  return FIELDS.map((field) => data[field]).filter((part) => typeof part === 'string')
}

const looksZipped = (part: string): boolean => part.length >= SMALLEST && part.startsWith('\u001f\u008b')

const textLength = (bytes: Buffer): number => bytes.readUInt32LE(bytes.length - 4)

/** The parts are not valid gzip, or not of the length they claim. */
class Broken extends Error {}

/** Null unless every part is valid. */
async function inflateAll(members: Buffer[], total: number, hold: Hold): Promise<Buffer | null> {
  const joined = Buffer.concat(members)
  try {
    const small = inflateAtOnce(joined, total)
    if (small) hold(small.length)
    const plain =
      small ??
      (await inflateInPieces(joined, (text, added) => {
        if (text.length > total) throw new Broken()
        hold(added)
      }))
    return plain.length === total ? plain : null
  } catch (error) {
    if (error instanceof Broken || (error as NodeJS.ErrnoException).code?.startsWith('Z_')) return null
    throw error
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

interface Part {
  part: string
  bytes: Buffer
  length: number
}

/** The distinct compressed parts of these events whose texts have at most `limit` bytes together. */
async function findParts(events: Iterable<RrwebEvent>, limit: number, slices: Slices): Promise<Part[]> {
  const found = new Map<string, Part>()
  let total = 0
  for (const event of events) {
    for (const part of partsOf(event)) {
      if (!looksZipped(part) || found.has(part)) continue
      const bytes = Buffer.from(part, 'latin1')
      const length = textLength(bytes)
      if (total + length > limit) continue
      found.set(part, { part, bytes, length })
      total += length
    }
    if (slices.isOver) await slices.rest()
  }
  return [...found.values()]
}

/** Inflates the parts of these events, at most `limit` bytes of text, in time slices. */
export async function inflateParts(
  events: Iterable<RrwebEvent>,
  limit: number,
  hold: Hold = () => {},
): Promise<Inflated> {
  const slices = new Slices()
  const parts = await findParts(events, limit, slices)
  const inflated = new Map<string, string>()
  if (parts.length === 0) return inflated
  const total = parts.reduce((sum, { length }) => sum + length, 0)
  const members = parts.map(({ bytes }) => bytes)
  const plain = await inflateAll(members, total, hold)
  if (plain === null) return inflated
  let at = 0
  for (const { part, length } of parts) {
    const text = plain.toString('utf8', at, at + length)
    at += length
    if (isOneLineOfJson(text)) inflated.set(part, text)
    if (slices.isOver) await slices.rest()
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

/** The event as one line of JSON; plain if all its parts were inflated, otherwise as it was sent. */
export const writeEvent = (event: RrwebEvent, inflated: Inflated): string =>
  writeInflated(event, inflated) ?? JSON.stringify(event)

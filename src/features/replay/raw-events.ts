/**
 * The JSON text of every rrweb event of a request, as it was sent. It is stored unchanged where possible, so that
 * numbers and escapes stay as the SDK wrote them. Only text that cannot be one line (with line breaks, or not UTF-8) is
 * serialized again from the parsed event.
 */
import { isUtf8 } from 'node:buffer'
import { type Ends, eachElement, eachMember, endOfValue, skipSpace } from '../../lib/json/json-scanner.ts'

const BRACKET = 0x5b
const BRACE = 0x7b
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/** The text of a request, and the known ends of its lists and objects, so that most of it is scanned once. */
export interface Scanned {
  bytes: Buffer
  ends: Ends
}

/** The byte ranges of the values in the list at `start`, or of the one value there; and where it ends. */
function readData({ bytes, ends }: Scanned, start: number): { events: Buffer[]; end: number } {
  const events: Buffer[] = []
  const take = (at: number): number => {
    const end = endOfValue(bytes, at, ends)
    events.push(bytes.subarray(at, end))
    return end
  }
  return { events, end: bytes[start] === BRACKET ? eachElement(bytes, start, take) : take(start) }
}

/** Of duplicate keys the last counts, as in parsed objects. */
function readItem(scanned: Scanned, start: number): { events: Buffer[] | null; end: number } {
  const { bytes, ends } = scanned
  let events: Buffer[] | null = null
  const properties = (at: number): number =>
    eachMember(bytes, at, (name, value) => {
      if (name !== '$snapshot_data') return endOfValue(bytes, value, ends)
      const data = readData(scanned, value)
      events = data.events
      return data.end
    })
  const end = eachMember(bytes, start, (name, value) => {
    if (name !== 'properties') return endOfValue(bytes, value, ends)
    events = null
    return bytes[value] === BRACE ? properties(value) : endOfValue(bytes, value, ends)
  })
  return { events, end }
}

const onOneLine = (event: Buffer): boolean => !event.includes(LINE_FEED) && !event.includes(CARRIAGE_RETURN)

/** For each item of a valid request, a list or a single one: its events, or null when they cannot be used as sent. */
export function rawEvents(scanned: Scanned): (Buffer[] | null)[] {
  const { bytes, ends } = scanned
  const start = skipSpace(bytes, 0)
  if (!isUtf8(bytes)) return []
  const items: (Buffer[] | null)[] = []
  const take = (at: number): number => {
    if (bytes[at] !== BRACE) {
      items.push(null)
      return endOfValue(bytes, at, ends)
    }
    const { events, end } = readItem(scanned, at)
    items.push(events?.every(onOneLine) ? events : null)
    return end
  }
  if (bytes[start] === BRACKET) eachElement(bytes, start, take)
  else take(start)
  return items
}

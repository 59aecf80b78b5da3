/**
 * The JSON text of every rrweb event of a request, as it was sent. It is stored as it is: nothing is written anew
 * that need not be, so that numbers and escapes stay what the SDK made them. Only what cannot stand on a line of
 * its own (text with line breaks, text that is not UTF-8) is left to be written from what was read.
 */
import { isUtf8 } from 'node:buffer'
import { type Ends, eachElement, eachMember, endOfValue, skipSpace } from '../../lib/json/json-scanner.ts'

const BRACKET = 0x5b
const BRACE = 0x7b
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/** The text of a request, and where its lists and objects end as far as that is known: most of it is gone over once. */
export interface Scanned {
  bytes: Buffer
  ends: Ends
}

/** The stretches of the values in the list at `start`, or of the one value there; and where it ends. */
function readData({ bytes, ends }: Scanned, start: number): { events: Buffer[]; end: number } {
  const events: Buffer[] = []
  const take = (at: number): number => {
    const end = endOfValue(bytes, at, ends)
    events.push(bytes.subarray(at, end))
    return end
  }
  return { events, end: bytes[start] === BRACKET ? eachElement(bytes, start, take) : take(start) }
}

/** Of names that stand several times the last counts, as in parsed objects. */
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

/** For each item of a valid request, a list or a single one: its events, or null when they cannot be taken as sent. */
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

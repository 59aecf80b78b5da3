/**
 * The JSON text of every rrweb event of a request, as it was sent. It is stored as it is: nothing is written anew
 * that need not be, so that numbers and escapes stay what the SDK made them. Only what cannot stand on a line of
 * its own (text with line breaks, text that is not UTF-8) is left to be written from what was read.
 */
import { isUtf8 } from 'node:buffer'
import { eachElement, eachMember, endOfValue, skipSpace } from '../../lib/json-scan.ts'

const BRACKET = 0x5b
const BRACE = 0x7b
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/** The stretches of the values in the list at `start`, or of the one value there; and where it ends. */
function readData(bytes: Buffer, start: number): { events: Buffer[]; end: number } {
  const events: Buffer[] = []
  const take = (at: number): number => {
    const end = endOfValue(bytes, at)
    events.push(bytes.subarray(at, end))
    return end
  }
  return { events, end: bytes[start] === BRACKET ? eachElement(bytes, start, take) : take(start) }
}

/** Of names that stand several times the last counts, as in parsed objects. */
function readItem(bytes: Buffer, start: number): { events: Buffer[] | null; end: number } {
  let events: Buffer[] | null = null
  const properties = (at: number): number =>
    eachMember(bytes, at, (name, value) => {
      if (name !== '$snapshot_data') return endOfValue(bytes, value)
      const data = readData(bytes, value)
      events = data.events
      return data.end
    })
  const end = eachMember(bytes, start, (name, value) => {
    if (name !== 'properties') return endOfValue(bytes, value)
    events = null
    return bytes[value] === BRACE ? properties(value) : endOfValue(bytes, value)
  })
  return { events, end }
}

const onOneLine = (event: Buffer): boolean => !event.includes(LINE_FEED) && !event.includes(CARRIAGE_RETURN)

/** For each item of a valid request, a list or a single one: its events, or null when they cannot be taken as sent. */
export function rawEvents(bytes: Buffer): (Buffer[] | null)[] {
  const start = skipSpace(bytes, 0)
  if (!isUtf8(bytes)) return []
  const items: (Buffer[] | null)[] = []
  const take = (at: number): number => {
    if (bytes[at] !== BRACE) {
      items.push(null)
      return endOfValue(bytes, at)
    }
    const { events, end } = readItem(bytes, at)
    items.push(events?.every(onOneLine) ? events : null)
    return end
  }
  if (bytes[start] === BRACKET) eachElement(bytes, start, take)
  else take(start)
  return items
}

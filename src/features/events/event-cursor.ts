/**
 * Where a page of events begins, as text for a link: a direction and the position of the event next to it. It contains
 * no filters, which the link keeps; it is not secret, and a forged one at worst names a position without an event.
 */
import { invalid } from '../../lib/errors.ts'
import { readCursorText, writeCursorText } from '../../lib/text/cursor-text.ts'
import type { EventPageRequest, EventPosition } from '../../model/events/event.ts'

export type Cursor = NonNullable<EventPageRequest['from']>

const CURSOR_PARTS = 4
const DIRECTIONS = { o: 'older', n: 'newer' } as const

export function writeCursor({ position, direction }: Cursor): string {
  const { timestamp, seq, place } = position
  return writeCursorText([direction[0], timestamp, seq, place])
}

export function readCursor(text: string): Cursor {
  const [way, timestamp, seq, place] = readCursorText(text, CURSOR_PARTS) as [unknown, number, number, number]
  const direction = Object.hasOwn(DIRECTIONS, String(way)) ? DIRECTIONS[way as keyof typeof DIRECTIONS] : null
  const isPosition = Number.isFinite(timestamp) && Number.isSafeInteger(seq) && Number.isSafeInteger(place)
  if (direction === null || !isPosition) throw invalid('Invalid cursor.', 'cursor')
  return { direction, position: { timestamp, seq, place } }
}

/** The same request with another cursor. */
export function linkTo(url: URL, { timestamp, seq, place }: EventPosition, direction: Cursor['direction']): string {
  const link = new URL(url)
  link.searchParams.set('cursor', writeCursor({ direction, position: { timestamp, seq, place } }))
  return link.href
}

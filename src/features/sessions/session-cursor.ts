/** Where a page of sessions begins, as text for a link: a direction and the place of the session next to it. */
import { invalid } from '../../lib/errors.ts'
import { isUuid } from '../../lib/ids.ts'
import { readCursorText, writeCursorText } from '../../lib/text/cursor-text.ts'
import type { SessionPageRequest, SessionPlace } from '../../model/events/session.ts'

export type Cursor = NonNullable<SessionPageRequest['from']>

const CURSOR_PARTS = 3
/** The furthest instant that there is; no session is as long. */
const FURTHEST = 8.64e15
const DIRECTIONS = { f: 'forward', b: 'back' } as const

const writeCursor = ({ direction, place: { by, sessionId } }: Cursor): string =>
  writeCursorText([direction[0], by, sessionId])

export function readCursor(text: string): Cursor {
  const [way, by, sessionId] = readCursorText(text, CURSOR_PARTS)
  const direction = way === 'f' || way === 'b' ? DIRECTIONS[way] : null
  const isPlace =
    typeof by === 'number' && Math.abs(by) <= FURTHEST && typeof sessionId === 'string' && isUuid(sessionId)
  if (direction === null || !isPlace) throw invalid('Invalid cursor.', 'cursor')
  return { direction, place: { by, sessionId } }
}

/** The same request with another cursor. */
export function linkTo(url: URL, place: SessionPlace, direction: Cursor['direction']): string {
  const link = new URL(url)
  link.searchParams.set('cursor', writeCursor({ direction, place }))
  return link.href
}

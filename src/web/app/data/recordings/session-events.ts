/** The events of a session, newest first, a page at a time. */
import { eventPagesQuery } from '../events/event-pages.ts'

const PER_PAGE = 500

export const sessionEventsQuery = (projectId: number, sessionId: string) =>
  eventPagesQuery(
    projectId,
    { session_id: sessionId },
    { queryKey: ['project', projectId, 'session-events', sessionId], limit: PER_PAGE },
  )

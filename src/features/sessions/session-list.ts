/** Sessions: a page, all of them, one. The event store finds them and knows what they were. */
import { notFound } from '../../lib/errors.ts'
import { readUuid } from '../../lib/ids.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Project } from '../../model/accounts/project.ts'
import type { SessionPage, SessionPageRequest } from '../../model/events/session.ts'
import type { Stores } from '../../model/stores.ts'
import { type Cursor, linkTo, readCursor } from './session-cursor.ts'
import { readOrder, readSessionFilter, type SessionQuery } from './session-query.ts'
import { type SessionView, viewSessions } from './session-view.ts'
import { chunksOf, createRecordedSessions, type Wanted } from './sessions-by-recording.ts'

export interface SessionListParts {
  stores: Pick<Stores, 'events' | 'persons' | 'recordings'>
  clock: Clock
}

export interface SessionPageQuery extends SessionQuery {
  limit?: number
  cursor?: string
}

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 1_000

/** In the direction that the page came from there is always a session: the one that its cursor names. */
function linksOf(url: URL, { sessions, more }: SessionPage, from: Cursor | undefined) {
  const [first, last] = [sessions[0], sessions.at(-1)]
  if (!first || !last) return { next: null, previous: null }
  const hasNext = from?.direction === 'back' || more
  const hasPrevious = from?.direction === 'back' ? more : from !== undefined
  return {
    next: hasNext ? linkTo(url, last, 'forward') : null,
    previous: hasPrevious ? linkTo(url, first, 'back') : null,
  }
}

export function createSessionList({ stores, clock }: SessionListParts) {
  const { events, persons } = stores
  const recorded = createRecordedSessions({ stores, clock })

  async function wanted(project: Project, query: SessionQuery, signal: AbortSignal): Promise<Wanted> {
    const filter = await readSessionFilter(persons, project.id, query, clock.now())
    return { project, filter, hasRecording: query.has_recording, signal }
  }

  async function view({ project, signal }: Pick<Wanted, 'project' | 'signal'>, found: { sessionId: string }[]) {
    const sessions = await events.readSessions(project.id, found, signal)
    return viewSessions(stores, project, sessions, clock.now())
  }

  return {
    async list(project: Project, query: SessionPageQuery, url: URL, signal: AbortSignal) {
      const of = await wanted(project, query, signal)
      const request: SessionPageRequest = {
        limit: Math.min(query.limit ?? DEFAULT_LIMIT, MAX_LIMIT),
        order: readOrder(query.ordering),
        ...(query.cursor ? { from: readCursor(query.cursor) } : {}),
      }
      const page = await recorded.page(of, request)
      return { ...linksOf(url, page, request.from), results: await view(of, page.sessions) }
    },

    /** Every session of the list, part by part, each time it is called; filters are read at once. */
    async walk(
      project: Project,
      query: SessionQuery,
      signal: AbortSignal,
    ): Promise<() => AsyncGenerator<SessionView[]>> {
      const of = await wanted(project, query, signal)
      const order = readOrder(query.ordering)
      return async function* () {
        for await (const found of recorded.all(of, order)) {
          for (const some of chunksOf(found)) yield await view(of, some)
        }
      }
    },

    async retrieve(project: Project, id: string, signal: AbortSignal): Promise<SessionView> {
      const sessionId = readUuid(id)
      const [session] = sessionId ? await view({ project, signal }, [{ sessionId }]) : []
      if (!session) throw notFound()
      return session
    },
  }
}

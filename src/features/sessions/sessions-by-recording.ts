/**
 * Which sessions have a recording is known to the SQL store. Where a list asks for it, the event store finds portions of
 * it, and the SQL store is asked about each, until there are enough.
 */
import type { Clock } from '../../lib/time/clock.ts'
import { Deadline, READ_LIMIT_MS } from '../../lib/time/deadline.ts'
import type { Project } from '../../model/accounts/project.ts'
import type {
  FoundSession,
  SessionFilter,
  SessionOrder,
  SessionPage,
  SessionPageRequest,
} from '../../model/events/session.ts'
import type { Stores } from '../../model/stores.ts'

export interface RecordedParts {
  stores: Pick<Stores, 'events' | 'recordings'>
  clock: Clock
}

/** What is listed, and for whom. */
export interface Wanted {
  project: Project
  filter: SessionFilter
  /** Only those with a recording, or only those without. */
  hasRecording: boolean | undefined
  signal: AbortSignal
}

/** Most that are found at once to be looked up. */
const PORTION = 10_000
/** Sessions that are looked up at once. */
const AT_ONCE = 1_000

export function* chunksOf<T>(items: T[]): Generator<T[]> {
  for (let start = 0; start < items.length; start += AT_ONCE) yield items.slice(start, start + AT_ONCE)
}

export function createRecordedSessions({ stores, clock }: RecordedParts) {
  const { events, recordings } = stores

  /** Those of them that have a recording, or that have none; all of them when that does not matter. */
  async function among({ project, hasRecording }: Wanted, found: FoundSession[]): Promise<FoundSession[]> {
    if (hasRecording === undefined) return found
    const recorded = new Set<string>()
    for (const some of chunksOf(found)) {
      const ids = some.map(({ sessionId }) => sessionId)
      for (const { sessionId } of await recordings.findMany(project.id, ids, clock.now())) recorded.add(sessionId)
    }
    return found.filter(({ sessionId }) => recorded.has(sessionId) === hasRecording)
  }

  /** What is listed from a place on, in portions, the first as large as the request says. */
  async function* portions(of: Wanted, request: SessionPageRequest): AsyncGenerator<FoundSession[]> {
    const deadline = new Deadline(request.isWalk ? Number.POSITIVE_INFINITY : READ_LIMIT_MS, of.signal)
    const direction = request.from?.direction ?? 'forward'
    for (let portion: SessionPageRequest = request; ; ) {
      const page = await events.findSessions(of.project.id, of.filter, portion, of.signal)
      yield await among(of, page.sessions)
      const place = direction === 'back' ? page.sessions[0] : page.sessions.at(-1)
      if (!page.more || !place) return
      deadline.check()
      portion = { ...request, limit: PORTION, from: { place, direction } }
    }
  }

  return {
    /** All that is listed, in portions. */
    all: (of: Wanted, order: SessionOrder) => portions(of, { limit: PORTION, order, isWalk: true }),

    async page(of: Wanted, request: SessionPageRequest): Promise<SessionPage> {
      if (of.hasRecording === undefined) return events.findSessions(of.project.id, of.filter, request, of.signal)
      const isBack = request.from?.direction === 'back'
      let kept: FoundSession[] = []
      for await (const fitting of portions(of, { ...request, limit: AT_ONCE })) {
        kept = isBack ? [...fitting, ...kept] : [...kept, ...fitting]
        if (kept.length > request.limit) break
      }
      const sessions = isBack ? kept.slice(-request.limit) : kept.slice(0, request.limit)
      return { sessions, more: kept.length > request.limit }
    },
  }
}

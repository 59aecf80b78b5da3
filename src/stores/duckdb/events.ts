/**
 * The event store on DuckDB, embedded: one file, one process. Implements what `EventStore` promises; reads run
 * concurrently with writes and see complete batches only. Methods are in the order of the port.
 */
import { Deadline } from '../../lib/time/deadline.ts'
import type { EventStore } from '../../model/events/event.ts'
import type { EmbeddedEventStore } from '../../model/events/store-copy.ts'
import { applyBatches } from './apply-batches.ts'
import { type ColumnsPass, startColumnsPass } from './columns/columns-pass.ts'
import { createCopying } from './copy/store-copy.ts'
import { versionOf } from './data-versions.ts'
import type { ReadKind } from './engine/readers.ts'
import { compact } from './erasure/compact.ts'
import { erase, forgetErased, removeBefore, removeProject } from './erasure/erase.ts'
import { eventsByDistinctId, firstEventAt, personTotals, timeline } from './event-index.ts'
import { earliestEventAt } from './insights/earliest-event.ts'
import { funnel } from './insights/funnel.ts'
import { lifecycle } from './insights/lifecycle.ts'
import { retention } from './insights/retention.ts'
import { trend } from './insights/trend.ts'
import { eventNames, eventValues, propertyNames } from './listing/definitions.ts'
import { findEvent, listEvents } from './listing/event-list.ts'
import { eventTotals } from './listing/event-totals.ts'
import { openParts } from './open-parts.ts'
import { incompletePersons } from './people/incomplete-people.ts'
import { personOf } from './people/people-projection.ts'
import { findPersons } from './people/person-list.ts'
import { personValues } from './people/person-values.ts'
import { personsThatFit } from './people/persons-that-fit.ts'
import { LIMITS, type Limits, type Parts } from './progress.ts'
import { findSessions, readSessions } from './sessions/session-list.ts'
import { sessionEvents, sessionsWith } from './sessions/session-search.ts'
import { sessionValues } from './sessions/session-values.ts'
import { forgetBatches, highestSeq, readStamp, writeStamp } from './store-stamp.ts'

/** The parts for one read of this kind. */
function reading(parts: Parts, kind: ReadKind, deadline?: Deadline): Parts {
  const { database } = parts
  return { ...parts, database: { ...database, read: (work, how) => database.read(work, { ...how, kind, deadline }) } }
}

/** Its statements together have one deadline, and end when the caller no longer waits. */
const limited = (parts: Parts, kind: ReadKind, signal?: AbortSignal, limitMs = parts.limits.readMs): Parts =>
  reading(parts, kind, new Deadline(limitMs, signal))

/** `path` is a file, created when missing, or ':memory:'. `memory`: bytes that the engine may use. */
export async function openDuckdbEvents(
  path: string,
  limits: Limits = LIMITS,
  memory?: number,
): Promise<EmbeddedEventStore> {
  const parts = await openParts(path, limits, memory)
  const pass = startColumnsPass(parts)
  pass.wake()
  return createStore(parts, pass)
}

/** The methods about sessions. */
const sessionReads = (
  parts: Parts,
): Pick<EventStore, 'sessionValues' | 'sessionEvents' | 'sessionsWith' | 'findSessions' | 'readSessions'> => ({
  sessionValues: (query, signal) => sessionValues(limited(parts, 'events', signal), query),
  sessionEvents: (projectId, sessionId, selectors, signal) =>
    sessionEvents(limited(parts, 'events', signal), projectId, sessionId, selectors),
  sessionsWith: (projectId, selector, from, to, signal) =>
    sessionsWith(limited(parts, 'events', signal), projectId, selector, { from, to }),
  findSessions(projectId, filter, request, signal) {
    const limitMs = request.isWalk ? Number.POSITIVE_INFINITY : parts.limits.readMs
    return findSessions(limited(parts, 'events', signal, limitMs), projectId, filter, request)
  },
  readSessions: (projectId, spans, signal) => readSessions(limited(parts, 'events', signal), projectId, spans),
})

/** The store on these parts, which are its own. */
export function createStore(parts: Parts, pass: ColumnsPass): EmbeddedEventStore {
  const { database, limits } = parts
  return {
    async apply(batches, now) {
      await applyBatches(parts, batches, now)
      pass.wake()
    },
    forgetBatches: (appliedBefore) => forgetBatches(parts, appliedBefore),
    stamp: () => readStamp(reading(parts, 'look-up')),
    setStamp: (stamp) => writeStamp(parts, stamp),
    highestSeq: () => highestSeq(reading(parts, 'look-up')),
    personOf: (projectId, distinctId) => personOf(limited(parts, 'look-up'), projectId, distinctId),
    timeline: (query, signal) => timeline(limited(parts, 'look-up', signal), query),
    firstEventAt: (projectId, distinctIds, signal) =>
      firstEventAt(limited(parts, 'look-up', signal), projectId, distinctIds),
    findPersons(projectId, filter, request, signal) {
      const limitMs = Number.isFinite(request.limit) ? limits.readMs : Number.POSITIVE_INFINITY
      return findPersons(limited(parts, 'persons', signal, limitMs), projectId, filter, request)
    },
    personValues: (query, signal) => personValues(limited(parts, 'persons', signal), query),
    personsThatFit: (projectId, personIds, filters, signal) =>
      personsThatFit(limited(parts, 'persons', signal), projectId, personIds, filters),
    incompletePersons: (after, limit) => incompletePersons(reading(parts, 'persons'), after, limit),
    ...sessionReads(parts),
    listEvents(projectId, filter, request, signal) {
      const limitMs = request.isWalk ? Number.POSITIVE_INFINITY : limits.readMs
      return listEvents(limited(parts, 'events', signal, limitMs), projectId, filter, request)
    },
    findEvent: (projectId, uuid, signal) => findEvent(limited(parts, 'events', signal), projectId, uuid),
    eventValues: (query, signal) => eventValues(limited(parts, 'events', signal), query),
    eventNames: (query, signal) => eventNames(limited(parts, 'events', signal), query),
    propertyNames: (query, signal) =>
      propertyNames(limited(parts, query.of === 'person' ? 'persons' : 'events', signal), query),
    eventTotals: (projectId, since, signal) => eventTotals(limited(parts, 'events', signal), projectId, since),
    personTotals: (projectId, distinctIds, signal) =>
      personTotals(limited(parts, 'events', signal), projectId, distinctIds),
    eventsByDistinctId: (projectId, distinctIds, signal) =>
      eventsByDistinctId(limited(parts, 'events', signal), projectId, distinctIds),
    removeProject: (projectId) => parts.removing(() => removeProject(parts, projectId)),
    // The wait is what every read has (outbox/wait-for-outbox.ts).
    caughtUp: async () => {},
    async erase(requests) {
      const erased = await parts.removing(() => erase(parts, requests))
      // It also folds people.
      pass.wake()
      return erased
    },
    removeBefore: (projectId, before) => parts.removing(() => removeBefore(parts, projectId, before)),
    forgetErased: (except) => forgetErased(parts, except),
    compact: (signal) => compact(parts, signal),
    // The pass in the background does so all along (columns/columns-pass.ts).
    foldOwners: async () => {},
    ...createCopying(parts),
    wasRestarted: async () => false,
    noteRestart: async () => {},
    keepsShipments: async () => false,
    bytesElsewhere: async () => 0,
    async ping() {
      await database.read((connection) => connection.run('SELECT 1'), { kind: 'look-up' })
    },
    async close() {
      await pass.stop()
      await database.close()
    },
    trend: (question) => trend(reading(parts, 'insight'), question),
    funnel: (question) => funnel(reading(parts, 'insight'), question),
    retention: (question) => retention(reading(parts, 'insight'), question),
    lifecycle: (question) => lifecycle(reading(parts, 'insight'), question),
    earliestEventAt: (projectId) => earliestEventAt(reading(parts, 'earliest'), projectId),
    dataVersion: async (projectId) => versionOf(parts.versions, projectId),
  }
}

/**
 * The event store on ClickHouse: one server, or a cluster. Implements what `EventStore` promises; any number of processes
 * may use it at once. Methods are in the order of the port.
 */
import { Deadline } from '../../lib/time/deadline.ts'
import type { EventStore } from '../../model/events/event.ts'
import type { PresenceParts } from '../presence-parts.ts'
import { foldManyOverrides } from './actors/fold-overrides.ts'
import { forgetBatches, highestSeq } from './applied-batches.ts'
import { applyBatches } from './apply-batches.ts'
import { versionOf } from './data-versions.ts'
import { compact } from './erasure/compact.ts'
import { erase, forgetErased } from './erasure/erase.ts'
import { removeBefore, removeProject } from './erasure/remove.ts'
import { eventsByDistinctId, firstEventAt, personTotals, timeline } from './event-index.ts'
import { earliestEventAt } from './insights/earliest-event.ts'
import { funnel } from './insights/funnel.ts'
import { lifecycle } from './insights/lifecycle.ts'
import { retention } from './insights/retention.ts'
import { trend } from './insights/trend.ts'
import { eventNames, eventValues, propertyNames } from './listing/definitions.ts'
import { eventTotals, findEvent, listEvents } from './listing/event-list.ts'
import { openParts } from './open-parts.ts'
import { LIMITS, type Limits, type Parts, type Reading, reading } from './parts.ts'
import { incompletePersons } from './people/incomplete-people.ts'
import { findPersons } from './people/person-list.ts'
import { personOf } from './people/person-of.ts'
import { personValues } from './people/person-values.ts'
import { personsThatFit } from './people/persons-that-fit.ts'
import { noteRestart, wasRestarted } from './restarts.ts'
import { bytesOnDisk } from './server/disk.ts'
import { findSessions, readSessions } from './sessions/session-list.ts'
import { sessionEvents, sessionsWith } from './sessions/session-search.ts'
import { sessionValues } from './sessions/session-values.ts'
import { readStamp, writeStamp } from './store-stamp.ts'

export async function openClickhouseEvents(
  url: string,
  limits: Limits = LIMITS,
  presence?: PresenceParts,
): Promise<EventStore> {
  return createStore(await openParts(url, limits, presence))
}

export function createStore(parts: Parts): EventStore {
  const { servers, limits } = parts
  /** Its statements together have one deadline, and end when the caller no longer waits. */
  const limited = (signal?: AbortSignal, limitMs = limits.readMs): Promise<Reading> =>
    reading(parts, new Deadline(limitMs, signal))
  const unlimited = (): Promise<Reading> => reading(parts)
  return {
    apply: (batches, now) => applyBatches(parts, batches, now),
    forgetBatches: (appliedBefore) => forgetBatches(parts, appliedBefore),
    stamp: () => readStamp(parts),
    setStamp: (stamp) => writeStamp(parts, stamp),
    highestSeq: () => highestSeq(parts),
    personOf: async (projectId, distinctId) => personOf(await limited(), projectId, distinctId),
    timeline: async (query, signal) => timeline(await limited(signal), query),
    firstEventAt: async (projectId, distinctIds, signal) => firstEventAt(await limited(signal), projectId, distinctIds),
    async findPersons(projectId, filter, request, signal) {
      const limitMs = Number.isFinite(request.limit) ? limits.readMs : Number.POSITIVE_INFINITY
      return findPersons(await limited(signal, limitMs), projectId, filter, request)
    },
    personValues: async (query, signal) => personValues(await limited(signal), query),
    personsThatFit: async (projectId, personIds, filters, signal) =>
      personsThatFit(await limited(signal), projectId, personIds, filters),
    incompletePersons: async (after, limit) => incompletePersons(await unlimited(), after, limit),
    sessionValues: async (query, signal) => sessionValues(await limited(signal), query),
    sessionEvents: async (projectId, sessionId, selectors, signal) =>
      sessionEvents(await limited(signal), projectId, sessionId, selectors),
    sessionsWith: async (projectId, selector, from, to, signal) =>
      sessionsWith(await limited(signal), projectId, selector, { from, to }),
    async findSessions(projectId, filter, request, signal) {
      const limitMs = request.isWalk ? Number.POSITIVE_INFINITY : limits.readMs
      return findSessions(await limited(signal, limitMs), projectId, filter, request)
    },
    readSessions: async (projectId, spans, signal) => readSessions(await limited(signal), projectId, spans),
    async listEvents(projectId, filter, request, signal) {
      const limitMs = request.isWalk ? Number.POSITIVE_INFINITY : limits.readMs
      return listEvents(await limited(signal, limitMs), projectId, filter, request)
    },
    findEvent: async (projectId, uuid, signal) => findEvent(await limited(signal), projectId, uuid),
    eventValues: async (query, signal) => eventValues(await limited(signal), query),
    eventNames: async (query, signal) => eventNames(await limited(signal), query),
    propertyNames: async (query, signal) => propertyNames(await limited(signal), query),
    eventTotals: async (projectId, since, signal) => eventTotals(await limited(signal), projectId, since),
    personTotals: async (projectId, distinctIds, signal) => personTotals(await limited(signal), projectId, distinctIds),
    eventsByDistinctId: async (projectId, distinctIds, signal) =>
      eventsByDistinctId(await limited(signal), projectId, distinctIds),
    removeProject: (projectId) => removeProject(parts, projectId),
    // The wait is what every read has (outbox/wait-for-outbox.ts).
    caughtUp: async () => {},
    erase: (requests) => erase(parts, requests),
    removeBefore: (projectId, before) => removeBefore(parts, projectId, before),
    forgetErased: (except) => forgetErased(parts, except),
    compact: () => compact(parts),
    foldOwners: (signal) => foldManyOverrides(servers, signal),
    wasRestarted: () => wasRestarted(servers),
    noteRestart: () => noteRestart(servers),
    keepsShipments: async () => servers.replicas.hasAny,
    bytesElsewhere: () => bytesOnDisk(servers),
    ping: () => servers.ping(),
    close: () => servers.close(),
    trend: async (question) => trend(await unlimited(), question),
    funnel: async (question) => funnel(await unlimited(), question),
    retention: async (question) => retention(await unlimited(), question),
    lifecycle: async (question) => lifecycle(await unlimited(), question),
    earliestEventAt: async (projectId) => earliestEventAt(await unlimited(), projectId),
    dataVersion: (projectId) => versionOf(parts, projectId),
  }
}

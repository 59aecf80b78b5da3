/** The reads of events that have a deadline, for its tests. */
import type { EventStore } from '../../model/events/event.ts'
import { ANY_EVENT, EVER } from './batch-builders.ts'

/** Every read that a list, a count or a look-up of the API uses, by its name. */
export const readsOf = (
  store: EventStore,
  { projectId, sessionId }: { projectId: number; sessionId: string },
): Record<string, (signal?: AbortSignal) => Promise<unknown>> => {
  const page = { limit: 10, offset: 0 }
  const distinctIds = ['ann']
  const key = '$current_url'
  return {
    timeline: (signal) => store.timeline({ projectId, distinctIds, events: null, ...EVER }, signal),
    firstEventAt: (signal) => store.firstEventAt(projectId, distinctIds, signal),
    sessionValues: (signal) =>
      store.sessionValues({ projectId, keys: ['$entry_current_url'], search: null, limit: 1 }, signal),
    sessionEvents: (signal) => store.sessionEvents(projectId, sessionId, [ANY_EVENT], signal),
    sessionsWith: (signal) => store.sessionsWith(projectId, ANY_EVENT, EVER.from, EVER.to, signal),
    findSessions: (signal) =>
      store.findSessions(projectId, EVER, { limit: 10, order: { by: 'start', ascending: false } }, signal),
    readSessions: (signal) => store.readSessions(projectId, [{ sessionId }], signal),
    listEvents: (signal) => store.listEvents(projectId, {}, { limit: 10 }, signal),
    findEvent: (signal) => store.findEvent(projectId, sessionId, signal),
    eventValues: (signal) => store.eventValues({ projectId, key, event: null, search: null, limit: 1 }, signal),
    eventNames: (signal) => store.eventNames({ projectId, words: [], page }, signal),
    eventPropertyNames: (signal) =>
      store.propertyNames({ projectId, of: 'event', words: [], isNumerical: null, page }, signal),
    personPropertyNames: (signal) =>
      store.propertyNames({ projectId, of: 'person', words: [], isNumerical: null, page }, signal),
    findPersons: (signal) => store.findPersons(projectId, { search: 'ann' }, { limit: 10, withCount: true }, signal),
    personValues: (signal) => store.personValues({ projectId, key, search: null }, signal),
    personsThatFit: (signal) =>
      store.personsThatFit(projectId, [1], [{ key, operator: 'is_set', value: null }], signal),
    personTotals: (signal) => store.personTotals(projectId, distinctIds, signal),
    eventsByDistinctId: (signal) => store.eventsByDistinctId(projectId, distinctIds, signal),
    eventTotals: (signal) => store.eventTotals(projectId, 0, signal),
  }
}

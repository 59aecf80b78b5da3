/**
 * What every write to people must add to the rows themselves: the property history, and one outbox
 * row that passes the change on to the people projection of the event store. Must come last in its transaction.
 */
import { uuidV7 } from '../../lib/ids.ts'
import type { DistinctIdProjection, PersonProjection } from '../../model/events/outbox.ts'
import type { Person, PropertyChange } from '../../model/persons/person.ts'
import type { SqlWriters } from '../../model/stores.ts'
import type { PropertyDifference } from './identity.ts'

/** `updatedAt`: when the person's row was written, nearly always by the same transaction. */
export const projectionOf = (person: Person, updatedAt: number, deleted = false): PersonProjection => ({
  projectId: person.projectId,
  personId: person.id,
  uuid: person.uuid,
  properties: deleted ? '{}' : JSON.stringify(person.properties),
  createdAt: person.createdAt,
  updatedAt,
  lastSeenAt: person.lastSeenAt,
  isIdentified: person.isIdentified,
  deleted,
})

export const mappingOf = (person: Person, personId: number | null = person.id): DistinctIdProjection[] =>
  person.distinctIds.map((distinctId) => ({ projectId: person.projectId, distinctId, personId }))

/** What was changed through the API, for the history. */
export const historyOf = (
  personId: number,
  differences: PropertyDifference[],
  at: number,
  seq: number,
): PropertyChange => {
  const set = differences.filter(({ after }) => after !== undefined).map(({ key, after }) => [key, after])
  const removed = differences.filter(({ after }) => after === undefined).map(({ key }) => key)
  return { personId, set: Object.fromEntries(set), once: {}, removed, at, seq, eventUuid: null }
}

export interface PeopleChange {
  seq: number
  persons: PersonProjection[]
  distinctIds: DistinctIdProjection[]
}

export const sendPeopleChange = (tx: SqlWriters, change: PeopleChange, now: number): Promise<void> =>
  tx.outbox.add({ id: uuidV7(now), events: [], ...change }, now)

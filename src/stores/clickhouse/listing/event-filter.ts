/** What a filter asks of events, as SQL. */
import type { EventFilter } from '../../../model/events/event.ts'
import { leavesOf } from '../../property-filter.ts'
import { eventSatisfies } from '../actors/event-satisfies.ts'
import { hasIdNumber } from '../event-index.ts'
import type { Reading } from '../parts.ts'
import { int, isOneOf, text, uuid } from '../values/literal.ts'

/** Conditions on an event other than its time. */
export interface EventConditions {
  /** On columns that take little to read. */
  narrow: string[]
  wide: string[]
  readsOwners: boolean
  /** Whether `moments` has all that is asked. */
  isOfMoments: boolean
}

export function conditionsOf(reading: Reading, projectId: number, filter: EventFilter): EventConditions {
  const { event, distinctIds, sessionId, properties } = filter
  const narrow = [`project_id = ${int(projectId)}`]
  const wide: string[] = []
  if (event !== undefined) narrow.push(`event = ${text(event)}`)
  if (distinctIds) {
    narrow.push(hasIdNumber(projectId, distinctIds))
    wide.push(isOneOf('distinct_id', distinctIds, text))
  }
  if (sessionId !== undefined) narrow.push(`session_id = ${uuid(sessionId)}`)
  if (properties) wide.push(eventSatisfies(reading, projectId, properties))
  return {
    narrow,
    wide,
    readsOwners: properties !== undefined && leavesOf(properties).some(({ type }) => type === 'person'),
    isOfMoments: distinctIds !== undefined && sessionId === undefined && properties === undefined,
  }
}

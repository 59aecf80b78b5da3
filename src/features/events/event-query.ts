/** The filters of the events list, and of events as they arrive, as the query string gives them. An empty parameter is ignored. */
import { readUuid } from '../../lib/ids.ts'
import { parseInstant } from '../../lib/time/time.ts'
import type { EventFilter } from '../../model/events/event.ts'
import type { LiveFilter } from '../../model/events/live-events.ts'
import type { PersonReader } from '../../model/persons/person.ts'
import { readPropertyFilterText } from '../../rules/filters/property-filter.ts'
import { readRelativeDate } from '../../rules/filters/relative-date.ts'
import { idsOfPerson } from '../../rules/persons/ids-of-person.ts'

export interface EventQuery {
  event?: string
  distinct_id?: string
  person_id?: string
  session_id?: string
  before?: string
  after?: string
  properties?: string
}

export type LiveQuery = Pick<EventQuery, 'event' | 'distinct_id' | 'properties'>

const readTime = (text: string, attr: string, now: number): number =>
  readRelativeDate(text, now)?.instant ?? parseInstant(text, attr)

/** Ids that both parameters allow; undefined when neither is given. An unknown person has none. */
async function distinctIdsOf(
  persons: Pick<PersonReader, 'find'>,
  projectId: number,
  { distinct_id, person_id }: EventQuery,
): Promise<string[] | undefined> {
  if (!person_id) return distinct_id ? [distinct_id] : undefined
  const owned = await idsOfPerson(persons, projectId, person_id)
  return distinct_id ? owned.filter((id) => id === distinct_id) : owned
}

export async function readEventFilter(
  persons: Pick<PersonReader, 'find'>,
  projectId: number,
  query: EventQuery,
  now: number,
): Promise<EventFilter> {
  const { event, session_id, before, after, properties } = query
  const conditions = readPropertyFilterText(properties, now, 'event')
  const times = {
    ...(before ? { before: readTime(before, 'before', now) } : {}),
    ...(after ? { after: readTime(after, 'after', now) } : {}),
  }
  const distinctIds = await distinctIdsOf(persons, projectId, query)
  return {
    ...(event ? { event } : {}),
    ...(distinctIds ? { distinctIds } : {}),
    ...(session_id ? { sessionId: readUuid(session_id) ?? session_id } : {}),
    ...times,
    ...(conditions ? { properties: conditions } : {}),
  }
}

/** Persons are not asked for: they may change with the very event. */
export function readLiveFilter({ event, distinct_id, properties }: LiveQuery, now: number): LiveFilter {
  const conditions = readPropertyFilterText(properties, now, 'live event')
  return {
    ...(event ? { event } : {}),
    ...(distinct_id ? { distinctIds: [distinct_id] } : {}),
    ...(conditions ? { properties: conditions } : {}),
  }
}

/** The filters of the events list, and of events as they arrive, as the query string gives them. An empty parameter is ignored. */
import { AppError, invalid } from '../../lib/errors.ts'
import { readUuid } from '../../lib/ids.ts'
import { type Json, parseJsonText } from '../../lib/json/json.ts'
import { parseInstant } from '../../lib/time/time.ts'
import type { EventFilter } from '../../model/events/event.ts'
import type { LiveFilter } from '../../model/events/live-events.ts'
import type { PersonReader, PersonRef } from '../../model/persons/person.ts'
import { readPropertyFilter } from '../../rules/filters/property-filter.ts'
import { readRelativeDate } from '../../rules/filters/relative-date.ts'

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

function readJson(text: string): Json {
  try {
    return parseJsonText(text)
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause
    throw invalid(cause.kind === 'malformed' ? 'Properties are unparsable!' : cause.message, 'properties')
  }
}

/** Null for an integer that no person can have. */
function readPerson(text: string): PersonRef | null {
  const uuid = readUuid(text)
  if (uuid !== null) return { uuid }
  if (!/^[+-]?\d+$/.test(text)) throw invalid('Must be the integer id or the UUID of a person.', 'person_id')
  return Number.isSafeInteger(Number(text)) ? { id: Number(text) } : null
}

const readTime = (text: string, attr: string, now: number): number =>
  readRelativeDate(text, now)?.instant ?? parseInstant(text, attr)

/** Ids that both parameters allow; undefined when neither is given. An unknown person has none. */
async function distinctIdsOf(
  persons: Pick<PersonReader, 'find'>,
  projectId: number,
  { distinct_id, person_id }: EventQuery,
): Promise<string[] | undefined> {
  if (!person_id) return distinct_id ? [distinct_id] : undefined
  const ref = readPerson(person_id)
  const owned = (ref && (await persons.find(projectId, ref)))?.distinctIds ?? []
  return distinct_id ? owned.filter((id) => id === distinct_id) : owned
}

export async function readEventFilter(
  persons: Pick<PersonReader, 'find'>,
  projectId: number,
  query: EventQuery,
  now: number,
): Promise<EventFilter> {
  const { event, session_id, before, after, properties } = query
  const conditions = properties?.trim() ? readPropertyFilter(readJson(properties), now, 'event') : null
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
  const conditions = properties?.trim() ? readPropertyFilter(readJson(properties), now, 'live event') : null
  return {
    ...(event ? { event } : {}),
    ...(distinct_id ? { distinctIds: [distinct_id] } : {}),
    ...(conditions ? { properties: conditions } : {}),
  }
}

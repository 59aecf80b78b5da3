/** The filters of the sessions list, as the query string gives them. An empty parameter is ignored. */
import { invalid } from '../../lib/errors.ts'
import type { SessionFilter, SessionOrder } from '../../model/events/session.ts'
import type { PersonReader, PropertyCondition, PropertyFilter } from '../../model/persons/person.ts'
import { readFrom, readTo } from '../../rules/filters/list-dates.ts'
import { readPropertyFilterText } from '../../rules/filters/property-filter.ts'
import { idsOfPerson } from '../../rules/persons/ids-of-person.ts'
import { SESSION_PROPERTIES } from './session-properties.ts'

export const ORDERINGS = ['start_time', '-start_time', 'duration', '-duration'] as const

export interface SessionQuery {
  person_id?: string
  has_recording?: boolean
  date_from?: string
  date_to?: string
  properties?: string
  ordering?: (typeof ORDERINGS)[number]
}

const TYPES = new Map(SESSION_PROPERTIES.map(({ name, type }) => [name, type]))
const DATE_OPERATORS = ['is_date_exact', 'is_date_before', 'is_date_after']
/** Booleans are listed so, and compared as JSON writes them. */
const WORDS: Record<string, string> = { 1: 'true', 0: 'false' }

const refuse = (detail: string) => invalid(`properties: ${detail}`, 'properties')

function readCondition(condition: PropertyCondition): PropertyCondition {
  const { key, operator, value } = condition
  const type = TYPES.get(key)
  if (type === undefined) throw refuse(`'${key}' is no session property; sessions/property_definitions/ lists them.`)
  const isOfAny = operator === 'is_set' || operator === 'is_not_set'
  if (!isOfAny && DATE_OPERATORS.includes(operator) !== (type === 'DateTime')) {
    const compared = type === 'DateTime' ? `a date: only ${DATE_OPERATORS.join(', ')}` : 'no date: no date operator'
    throw refuse(`${key} is ${compared} can compare it.`)
  }
  if (type !== 'Boolean') return condition
  const wordOf = (one: unknown) => WORDS[String(one)] ?? one
  return { ...condition, value: Array.isArray(value) ? value.map(wordOf) : wordOf(value) }
}

const readConditions = (filter: PropertyFilter): PropertyFilter =>
  'join' in filter ? { ...filter, of: filter.of.map(readConditions) } : readCondition(filter)

export async function readSessionFilter(
  persons: Pick<PersonReader, 'find'>,
  projectId: number,
  query: SessionQuery,
  now: number,
): Promise<SessionFilter> {
  const properties = readPropertyFilterText(query.properties, now, 'session')
  const range = { from: readFrom(query.date_from, now), to: readTo(query.date_to, now) }
  return {
    ...range,
    ...(query.person_id ? { distinctIds: await idsOfPerson(persons, projectId, query.person_id) } : {}),
    ...(properties ? { properties: readConditions(properties) } : {}),
  }
}

/** Newest first unless asked for otherwise. */
export const readOrder = (ordering: SessionQuery['ordering'] = '-start_time'): SessionOrder => ({
  by: ordering.endsWith('duration') ? 'duration' : 'start',
  ascending: !ordering.startsWith('-'),
})

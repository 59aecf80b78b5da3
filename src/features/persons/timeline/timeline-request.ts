/**
 * The query of a timeline: which events count, and which person properties are crucial. Filters select no events; they,
 * and a breakdown by person, only name properties. Lists come as JSON.
 */
import { invalid } from '../../../lib/errors.ts'
import { isJsonObject, type Json, type JsonObject, jsonOrText } from '../../../lib/json/json.ts'
import { readJsonParameter, UNPARSABLE } from '../parameters.ts'
import type { Interval } from './date-range.ts'

export interface TimelineQuery {
  events?: string
  actions?: string
  properties?: string
  breakdown?: string
  breakdown_type?: string
  date_from?: string
  date_to?: string
  interval?: Interval
}

export interface TimelineRequest {
  /** Names of events; null: every event. */
  events: string[] | null
  /** Sorted, each once. */
  crucialKeys: string[]
  dateFrom: string | undefined
  dateTo: string | undefined
  interval: Interval
}

const MAX_NESTING = 10

function readList(text: string | undefined, attr: string): JsonObject[] {
  const value = readJsonParameter(text, attr, `${attr} must be a JSON list.`) ?? []
  if (!Array.isArray(value) || !value.every(isJsonObject)) throw invalid(`${attr} must be a list of objects.`, attr)
  return value
}

/** Keys of the conditions on persons in a list or group of filters; conditions of another type name none. */
function personKeys(filters: Json | undefined, attr: string, depth = 0): string[] {
  if (filters === undefined || filters === null) return []
  if (depth > MAX_NESTING) throw invalid(`Groups may be nested at most ${MAX_NESTING} deep.`, attr)
  if (Array.isArray(filters)) return filters.flatMap((item) => personKeys(item, attr, depth + 1))
  if (!isJsonObject(filters)) throw invalid('Properties must be a list of filters or a group of them.', attr)
  if (filters.values !== undefined) return personKeys(filters.values, attr, depth + 1)
  return filters.type === 'person' && typeof filters.key === 'string' ? [filters.key] : []
}

function breakdownKeys({ breakdown, breakdown_type }: TimelineQuery): string[] {
  if (breakdown_type !== 'person' || !breakdown) return []
  const value = jsonOrText(breakdown)
  if (!Array.isArray(value)) return [breakdown]
  if (!value.every((key) => typeof key === 'string')) throw invalid('breakdown must name properties.', 'breakdown')
  return value
}

/** An entity without an id stands for every event. */
function namesOf(entities: JsonObject[]): string[] | null {
  if (entities.length === 0) return null
  const ids = entities.map(({ id = null }) => {
    if (id !== null && typeof id !== 'string') throw invalid('The id of an event must be its name.', 'events')
    return id
  })
  const names = ids.filter((id) => id !== null)
  return names.length < ids.length ? null : [...new Set(names)]
}

const unlessEmpty = (text: string | undefined): string | undefined => (text?.trim() ? text.trim() : undefined)

export function readTimelineRequest(query: TimelineQuery): TimelineRequest {
  const entities = readList(query.events, 'events')
  if (readList(query.actions, 'actions').length > 0) {
    throw invalid('Actions do not exist here; name events instead.', 'actions')
  }
  const keys = [
    ...personKeys(readJsonParameter(query.properties, 'properties', UNPARSABLE), 'properties'),
    ...entities.flatMap((entity) => personKeys(entity.properties, 'events')),
    ...breakdownKeys(query),
  ]
  return {
    events: namesOf(entities),
    crucialKeys: [...new Set(keys)].sort(),
    dateFrom: unlessEmpty(query.date_from),
    dateTo: unlessEmpty(query.date_to),
    interval: query.interval ?? 'day',
  }
}

/**
 * Parses property filters: a list of conditions that must all hold, or a group
 * `{"type": "AND" | "OR", "values": [...]}` of conditions or of groups. A condition without a type tests the filtered
 * object. Types: for people `person`; for events `event`, or `person` for the current properties of the event's person;
 * for recordings `person` (the default), or `event` for events of the session; for events of one session, and for
 * events as they arrive, `event`; for sessions `session`. Any other type is refused rather than ignored.
 *
 * The result is ready to use: `gt`, `lt` and so on have a number, date operators an ISO 8601 text (relative
 * dates are resolved against `now`), version operators a valid version, the others text, numbers,
 * booleans or a list of these. Nothing is dropped silently; every error names its path.
 */
import { AppError, invalid } from '../../lib/errors.ts'
import { isJsonObject, type Json, type JsonObject, parseJsonText } from '../../lib/json/json.ts'
import { cutText, isLongerThan } from '../../lib/text/code-points.ts'
import type { PropertyFilter, PropertyOperator } from '../../model/persons/person.ts'
import { isPropertyOperator, readFilterValue } from './property-filter-value.ts'

const ATTR = 'properties'
const MAX_CONDITIONS = 100
const MAX_DEPTH = 10
/** Of all lists together; keeps the SQL within SQLite's limits on parameters and on expression depth. */
const MAX_VALUES = 500

const COHORT_TYPES = new Set(['cohort', 'static-cohort', 'precalculated-cohort'])

/** Path within the parameter, for messages, and depth, for the limit on nesting. */
interface Place {
  where: string
  depth: number
}

/** What is filtered. */
export type FilterSubject = 'person' | 'event' | 'recording' | 'session event' | 'live event' | 'session'

type ConditionType = 'person' | 'event'

/** The type of a condition without one, and the other type that is allowed. */
const TYPES: Record<FilterSubject, { own: ConditionType | 'session'; other?: ConditionType; named: string }> = {
  person: { own: 'person', named: "only 'person' is" },
  event: { own: 'event', other: 'person', named: "only 'event' and 'person' are" },
  recording: { own: 'person', other: 'event', named: "only 'event' and 'person' are" },
  'session event': { own: 'event', named: "only 'event' is" },
  'live event': { own: 'event', named: "only 'event' is, as events are filtered while they arrive" },
  session: { own: 'session', named: "only 'session' is" },
}

interface Reading {
  now: number
  subject: FilterSubject
  conditions: number
  values: number
}

const refuse = (where: string, detail: string): AppError => invalid(`${where}: ${detail}`, ATTR)

/** The caller's text, cut: an error does not repeat a page of it. */
const quoted = (text: string): string => `'${isLongerThan(text, 40) ? `${cutText(text, 40)}…` : text}'`

const isGroup = (item: JsonObject): boolean =>
  item.type === 'AND' || item.type === 'OR' || (Object.hasOwn(item, 'values') && !Object.hasOwn(item, 'key'))

/** The type, if it is not that of the filtered object. */
function readType(type: unknown, where: string, subject: FilterSubject): { type?: ConditionType } {
  if (type === undefined || type === null) return {}
  if (typeof type !== 'string') throw refuse(where, 'type must be text.')
  const { own, other, named } = TYPES[subject]
  if (type === own) return {}
  if (type === other) return { type: other }
  if (COHORT_TYPES.has(type))
    throw refuse(where, `filters of type ${quoted(type)} cannot match, as cohorts do not exist yet.`)
  throw refuse(where, `filters of type ${quoted(type)} are not supported here; ${named}.`)
}

function readOperator(operator: unknown, where: string): PropertyOperator {
  if (operator === undefined || operator === null) return 'exact'
  if (typeof operator !== 'string') throw refuse(where, 'operator must be text.')
  if (!isPropertyOperator(operator)) throw refuse(where, `unknown operator ${quoted(operator)}.`)
  return operator
}

function readCondition(item: JsonObject, where: string, reading: Reading): PropertyFilter {
  const type = readType(item.type, where, reading.subject)
  const { key } = item
  if (typeof key !== 'string' || key === '') throw refuse(where, 'key must be text and not empty.')
  const operator = readOperator(item.operator, where)
  const value = readFilterValue(operator, item.value, reading.now)
  if ('problem' in value) throw refuse(where, value.problem)
  reading.conditions += 1
  reading.values += Array.isArray(value.value) ? value.value.length : 1
  if (reading.conditions > MAX_CONDITIONS) throw refuse(where, `at most ${MAX_CONDITIONS} conditions are allowed.`)
  if (reading.values > MAX_VALUES) throw refuse(where, `at most ${MAX_VALUES} values are allowed in all conditions.`)
  return { key, operator, value: value.value, ...type }
}

function readGroup(item: JsonObject, { where, depth }: Place, reading: Reading): PropertyFilter | null {
  if (item.type !== 'AND' && item.type !== 'OR') throw refuse(where, "the type of a group must be 'AND' or 'OR'.")
  if (!Array.isArray(item.values)) throw refuse(where, 'values must be a list.')
  if (depth > MAX_DEPTH) throw refuse(where, `groups may be nested at most ${MAX_DEPTH} deep.`)
  return readList(item.type, item.values, { where: `${where}.values`, depth }, reading)
}

/** Empty groups are left out; a list without conditions is no filter. */
function readList(join: 'AND' | 'OR', items: unknown[], place: Place, reading: Reading): PropertyFilter | null {
  const whereOf = (index: number): string => `${place.where}[${index}]`
  const objects = items.map((item, index) => {
    if (!isJsonObject(item)) throw refuse(whereOf(index), 'a filter must be an object.')
    return item
  })
  const groups = objects.filter(isGroup).length
  if (groups > 0 && groups < objects.length) {
    throw invalid('Property list cannot contain both PropertyGroup and Property objects', ATTR)
  }
  const of = objects
    .map((item, index) =>
      groups > 0
        ? readGroup(item, { where: whereOf(index), depth: place.depth + 1 }, reading)
        : readCondition(item, whereOf(index), reading),
    )
    .filter((filter) => filter !== null)
  return of.length > 1 ? { join, of } : (of[0] ?? null)
}

/** Null when there is nothing to filter by: absent, `[]`, `{}` or groups without conditions. */
export function readPropertyFilter(
  value: unknown,
  now: number,
  subject: FilterSubject = 'person',
): PropertyFilter | null {
  const reading: Reading = { now, subject, conditions: 0, values: 0 }
  if (value === undefined || value === null) return null
  if (Array.isArray(value)) return readList('AND', value, { where: ATTR, depth: 0 }, reading)
  if (isJsonObject(value) && Object.keys(value).length === 0) return null
  if (!isJsonObject(value) || !isGroup(value)) {
    throw invalid('Properties must be a list of filters or a group of them.', ATTR)
  }
  return readGroup(value, { where: ATTR, depth: 1 }, reading)
}

function readJson(text: string): Json {
  try {
    return parseJsonText(text)
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause
    throw invalid(cause.kind === 'malformed' ? 'Properties are unparsable!' : cause.message, ATTR)
  }
}

/** The same of JSON in a query string; a text without any is no filter. */
export const readPropertyFilterText = (
  text: string | undefined,
  now: number,
  subject: FilterSubject,
): PropertyFilter | null => (text?.trim() ? readPropertyFilter(readJson(text), now, subject) : null)

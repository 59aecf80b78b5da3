/** Filters of property conditions, for every engine that makes SQL of them. */
import type { PropertyCondition, PropertyFilter } from '../model/persons/person.ts'
import { predicateOf } from './property-predicate.ts'

/** All conditions of a filter, in the order in which they stand there. */
export const leavesOf = (filter: PropertyFilter): PropertyCondition[] =>
  'join' in filter ? filter.of.flatMap(leavesOf) : [filter]

/** SQL of a filter, given that of its conditions. */
export function filterSql(filter: PropertyFilter, leaf: (condition: PropertyCondition) => string): string {
  if (!('join' in filter)) return leaf(filter)
  if (filter.of.length === 0) return filter.join === 'AND' ? '(1 = 1)' : '(1 = 0)'
  return `(${filter.of.map((part) => filterSql(part, leaf)).join(` ${filter.join} `)})`
}

/** The result of a condition when there are no properties. */
export const matchesMissing = (condition: PropertyCondition): boolean => predicateOf(condition).negated

/** The result of a filter when there are no properties. */
export function fitsNobody(filter: PropertyFilter): boolean {
  if (!('join' in filter)) return matchesMissing(filter)
  return filter.join === 'AND' ? filter.of.every(fitsNobody) : filter.of.some(fitsNobody)
}

export const patternsOf = (condition: PropertyCondition): string[] => {
  const { test } = predicateOf(condition)
  return test.kind === 'matches' ? test.patterns : []
}

/** The filter in which a condition with one of these patterns never holds, negated or not. */
export function withoutPatterns(filter: PropertyFilter, broken: Set<string>): PropertyFilter {
  if (broken.size === 0) return filter
  if ('join' in filter) return { ...filter, of: filter.of.map((part) => withoutPatterns(part, broken)) }
  return patternsOf(filter).some((pattern) => broken.has(pattern)) ? { join: 'OR', of: [] } : filter
}

/** Longer texts of a list are cut. */
export const MAX_LISTED_TEXT = 1_000

/** No number, date or version is longer. */
export const MAX_SHORT_TEXT = 200

/** A version, as a pattern of RE2; and of one the part with its numbers. */
export const VERSION_PATTERN = String.raw`^\s*[vV]?\d{1,15}(?:(?:\.\d{1,15}){1,3}(?:[-+][0-9A-Za-z][0-9A-Za-z.+-]*)?)?\s*$`
export const VERSION_NUMBERS_PATTERN = String.raw`^\s*[vV]?(\d{1,15}(?:\.\d{1,15}){0,3})`

const DATE = String.raw`(\d{4}-\d{2}-\d{2})`
const TIME = String.raw`((?:[01]\d|2[0-3]):[0-5]\d)(?::([0-5]\d)(?:[.,](\d{1,9}))?)?`
const OFFSET = String.raw`(?:[Zz]|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?)?`

/** ISO 8601 as lib/time/time.ts reads it, as a pattern of RE2. */
export const ISO_DATE = String.raw`^\s*${DATE}(?:[T ]${TIME}\s*${OFFSET})?\s*$`

/** Outside of its strings. */
const PLUS_OF_EXPONENT = /"(?:[^"\\]|\\.)*"|e\+/g

/** What a filter reads of a value (docs/filters.md): a string as it is, all else as JSON, exponents without a plus. */
export function textForm(value: unknown): string {
  if (typeof value === 'string') return value
  const json = JSON.stringify(value)
  // Most have none, and every property of every event comes by here.
  if (!json.includes('e+')) return json
  return json.replace(PLUS_OF_EXPONENT, (found) => (found === 'e+' ? 'e' : found))
}

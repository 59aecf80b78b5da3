/**
 * Whether an event matches a filter, without an event store: one more rendering of the tests of ../property-predicate.ts,
 * which agrees with those in SQL (docs/filters.md). Patterns are refused: JavaScript's are others than RE2's, and may take
 * for ever.
 */
import { invalid } from '../../lib/errors.ts'
import { foldCase } from '../../lib/text/case-fold.ts'
import { isLongerThan } from '../../lib/text/code-points.ts'
import { readNumeric } from '../../lib/text/numeric.ts'
import { compareVersions, readVersion } from '../../lib/text/semver.ts'
import { readInstant, SECOND } from '../../lib/time/time.ts'
import type { LiveEvent, LiveFilter } from '../../model/events/live-events.ts'
import type { Properties, PropertyCondition, PropertyFilter } from '../../model/persons/person.ts'
import { leavesOf, MAX_SHORT_TEXT, patternsOf, textForm } from '../property-filter.ts'
import { type Bound, predicateOf, type ValueTest } from '../property-predicate.ts'

type Test = (properties: Properties) => boolean

/** Null for what is missing or null. */
const textOf = (value: unknown): string | null => (value === undefined || value === null ? null : textForm(value))

/** The white space of RE2, and no other characters than numbers, dates and versions have. */
const PLAIN = /^[\t\n\f\r -~]*$/

/** Null when the text is no number, date or version for its length or its characters alone. */
function shortText(value: unknown): string | null {
  const text = textOf(value)
  return text === null || isLongerThan(text, MAX_SHORT_TEXT) || !PLAIN.test(text) ? null : text
}

function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return null
  const bare = value.replaceAll(' ', '')
  return isLongerThan(bare, MAX_SHORT_TEXT) ? null : readNumeric(bare)
}

const UNIX_SECONDS = /^\d{9,10}(?:\.\d+)?$/
const UNIX_MILLISECONDS = /^\d{12,13}(?:\.\d+)?$/

function instantOf(value: unknown): number | null {
  const text = shortText(value)
  if (text === null) return null
  if (UNIX_SECONDS.test(text)) return Number(text) * SECOND
  return UNIX_MILLISECONDS.test(text) ? Number(text) : readInstant(text)
}

function versionOf(value: unknown) {
  const text = shortText(value)
  return text === null ? null : readVersion(text)
}

const COMPARISONS: Record<Bound<unknown>['comparison'], (order: number) => boolean> = {
  '=': (order) => order === 0,
  '<>': (order) => order !== 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
}

const within =
  <T>(read: (value: unknown) => T | null, bounds: Bound<T>[], order: (a: T, b: T) => number) =>
  (value: unknown): boolean => {
    const found = read(value)
    return found !== null && bounds.every((bound) => COMPARISONS[bound.comparison](order(found, bound.value)))
  }

const difference = (a: number, b: number): number => a - b

function containsOneOf(words: string[]): (value: unknown) => boolean {
  const folded = words.map(foldCase)
  return (value) => {
    const text = textOf(value)
    if (text === null) return false
    const whole = foldCase(text)
    return folded.some((word) => whole.includes(word))
  }
}

function equalsOneOf(words: string[], numbers: number[]): (value: unknown) => boolean {
  const texts = new Set(words)
  return (value) => texts.has(textOf(value) as string) || (typeof value === 'number' && numbers.includes(value))
}

/** `isSet` is another question than all the others, which are about the value. */
function valueTest(test: ValueTest): (value: unknown) => boolean {
  switch (test.kind) {
    case 'equal':
      return equalsOneOf(test.words, test.numbers)
    case 'contains':
      return containsOneOf(test.words)
    case 'number':
      return within(numberOf, test.bounds, difference)
    case 'instant':
      return within(instantOf, test.bounds, difference)
    case 'version':
      return within(versionOf, test.bounds, compareVersions)
    default:
      return () => false
  }
}

function conditionTest(condition: PropertyCondition): Test {
  const { key } = condition
  const { test, negated } = predicateOf(condition)
  if (test.kind === 'set') return (properties) => Object.hasOwn(properties, key) !== negated
  const holds = valueTest(test)
  return (properties) => holds(Object.hasOwn(properties, key) ? properties[key] : undefined) !== negated
}

function filterTest(filter: PropertyFilter): Test {
  if (!('join' in filter)) return conditionTest(filter)
  const parts = filter.of.map(filterTest)
  return filter.join === 'AND'
    ? (properties) => parts.every((part) => part(properties))
    : (properties) => parts.some((part) => part(properties))
}

/** `properties` is asked for only when the rest matches. */
export type EventMatch = (event: LiveEvent, properties: () => Properties) => boolean

export function eventMatch({ event: name, distinctIds, properties: filter }: LiveFilter): EventMatch {
  if (filter && leavesOf(filter).some((condition) => patternsOf(condition).length > 0))
    throw invalid('Patterns cannot be matched as events arrive; the list of events takes them.', 'properties')
  const fits = filter && filterTest(filter)
  return ({ event, distinctId }, properties) =>
    (name === undefined || event === name) &&
    (distinctIds === undefined || distinctIds.includes(distinctId)) &&
    (fits === undefined || fits(properties()))
}

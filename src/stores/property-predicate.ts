/**
 * The meaning of a property condition, independent of the engine: a test of one property's value and whether it is
 * negated. Every adapter renders the same few tests. A value that an operator cannot use (a word for `gt`) is a test
 * that never holds; rules/filters/property-filter.ts reports that to the caller.
 */
import { readNumeric } from '../lib/text/numeric.ts'
import {
  caretRange,
  readVersion,
  readWildcardRange,
  tildeRange,
  type Version,
  type VersionRange,
} from '../lib/text/semver.ts'
import { DAY, isDateOnly, readInstant, SECOND } from '../lib/time/time.ts'
import type { PropertyCondition, PropertyOperator } from '../model/persons/person.ts'

type Comparison = '=' | '<>' | '>' | '>=' | '<' | '<='

/** A comparison of the value with this. */
export interface Bound<T> {
  comparison: Comparison
  value: T
}

export type ValueTest =
  | { kind: 'never' }
  /** The key exists, possibly with a null. */
  | { kind: 'set' }
  /** The text form is one of `words`, or the value is a number and one of `numbers`. */
  | { kind: 'equal'; words: string[]; numbers: number[] }
  /** The text form contains one of `words`, whatever the case. */
  | { kind: 'contains'; words: string[] }
  /** RE2 finds one of `patterns` in the first PATTERN_MAX_CHARS characters of the text form. */
  | { kind: 'matches'; patterns: string[] }
  /** All bounds hold for the number, instant or version that the value is or contains as text. */
  | { kind: 'number'; bounds: Bound<number>[] }
  | { kind: 'instant'; bounds: Bound<number>[] }
  | { kind: 'version'; bounds: Bound<Version>[] }

/**
 * A pattern is matched against only this many characters (code points) of a text form, on every engine: matching time
 * depends on the length of the text, and a property may be a megabyte.
 */
export const PATTERN_MAX_CHARS = 65_536

export interface PropertyPredicate {
  test: ValueTest
  /** The predicate is true when the test does not hold: also where there is no value. */
  negated: boolean
}

const never: ValueTest = { kind: 'never' }

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])

/** Words to compare with a text form: strings, numbers and booleans; anything else is ignored. */
const wordsOf = (value: unknown): string[] =>
  listOf(value)
    .filter((item) => ['string', 'number', 'boolean'].includes(typeof item))
    .map(String)

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** `1.0` is the number 1. Integers that a double cannot represent are compared as text only. */
function numbersAmong(words: string[]): number[] {
  return words
    .filter((word) => JSON_NUMBER.test(word))
    .filter((word) => !/^-?\d+$/.test(word) || Number.isSafeInteger(Number(word)))
    .map(Number)
    .filter(Number.isFinite)
}

function equal(value: unknown): ValueTest {
  const words = wordsOf(value)
  return words.length === 0 ? never : { kind: 'equal', words, numbers: numbersAmong(words) }
}

function contains(value: unknown): ValueTest {
  const words = wordsOf(value)
  return words.length === 0 ? never : { kind: 'contains', words }
}

function matches(value: unknown): ValueTest {
  const patterns = wordsOf(value)
  return patterns.length === 0 ? never : { kind: 'matches', patterns }
}

const compared =
  (comparison: Comparison) =>
  (value: unknown): ValueTest => {
    const number = typeof value === 'number' ? value : readNumeric(String(value))
    return number === null ? never : { kind: 'number', bounds: [{ comparison, value: number }] }
  }

/** What a date value covers, `to` excluded: a date its whole day, a date-time its second. */
interface Span {
  given: number
  from: number
  to: number
  wholeDay: boolean
}

function spanOf(value: unknown): Span | null {
  const given = typeof value === 'string' ? readInstant(value) : null
  if (given === null) return null
  const wholeDay = isDateOnly(value as string)
  const unit = wholeDay ? DAY : SECOND
  const from = Math.floor(given / unit) * unit
  return { given, from, to: from + unit, wholeDay }
}

const dated =
  (boundsOf: (span: Span) => Bound<number>[]) =>
  (value: unknown): ValueTest => {
    const span = spanOf(value)
    return span ? { kind: 'instant', bounds: boundsOf(span) } : never
  }

const versioned =
  (comparison: Comparison) =>
  (value: unknown): ValueTest => {
    const version = readVersion(String(value))
    return version ? { kind: 'version', bounds: [{ comparison, value: version }] } : never
  }

const withinVersions =
  (rangeOf: (text: string) => VersionRange | null) =>
  (value: unknown): ValueTest => {
    const range = rangeOf(String(value))
    if (!range) return never
    const bounds: Bound<Version>[] = [
      { comparison: '>=', value: range.lower },
      { comparison: '<', value: range.upper },
    ]
    return { kind: 'version', bounds }
  }

const rangeBy = (range: (version: Version) => VersionRange) => (text: string) => {
  const version = readVersion(text)
  return version && range(version)
}

/** Operators that negate another. */
const OPPOSITES = {
  is_not: 'exact',
  not_icontains: 'icontains',
  not_icontains_multi: 'icontains_multi',
  not_regex: 'regex',
  is_not_set: 'is_set',
} as const satisfies Partial<Record<PropertyOperator, PropertyOperator>>

type Opposite = keyof typeof OPPOSITES

const isOpposite = (operator: PropertyOperator): operator is Opposite => Object.hasOwn(OPPOSITES, operator)

const TESTS: Record<Exclude<PropertyOperator, Opposite>, (value: unknown) => ValueTest> = {
  exact: equal,
  icontains: contains,
  icontains_multi: contains,
  regex: matches,
  gt: compared('>'),
  gte: compared('>='),
  lt: compared('<'),
  lte: compared('<='),
  is_set: () => ({ kind: 'set' }),
  is_date_exact: dated(({ from, to }) => [
    { comparison: '>=', value: from },
    { comparison: '<', value: to },
  ]),
  is_date_before: dated(({ given }) => [{ comparison: '<', value: given }]),
  is_date_after: dated(({ given, to, wholeDay }) =>
    wholeDay ? [{ comparison: '>=', value: to }] : [{ comparison: '>', value: given }],
  ),
  semver_eq: versioned('='),
  semver_neq: versioned('<>'),
  semver_gt: versioned('>'),
  semver_gte: versioned('>='),
  semver_lt: versioned('<'),
  semver_lte: versioned('<='),
  semver_tilde: withinVersions(rangeBy(tildeRange)),
  semver_caret: withinVersions(rangeBy(caretRange)),
  semver_wildcard: withinVersions(readWildcardRange),
}

export function predicateOf({ operator, value }: PropertyCondition): PropertyPredicate {
  return isOpposite(operator)
    ? { test: TESTS[OPPOSITES[operator]](value), negated: true }
    : { test: TESTS[operator](value), negated: false }
}

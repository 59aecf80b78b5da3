/**
 * A tree of property conditions as one SQL condition over a column of JSON objects. It is true or not true
 * (never relied on to be false), so that it can be joined and negated freely. A value that an operator
 * cannot use (a word for `gt`, an invalid pattern) matches nothing; telling the caller so is the work of
 * rules/property-filter.ts. What differs between engines is in filter-dialect.ts.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { readNumeric } from '../../lib/numeric.ts'
import { caretRange, readVersion, readWildcardRange, tildeRange, type VersionRange } from '../../lib/semver.ts'
import { DAY, isDateOnly, readInstant, SECOND } from '../../lib/time.ts'
import type { PropertyCondition, PropertyFilter, PropertyOperator } from '../../model/person.ts'
import type { FilterDialect, JsonPlace } from './filter-dialect.ts'

type Condition = RawBuilder<SqlBool>
type Comparison = '=' | '<>' | '>' | '>=' | '<' | '<='

interface Subject {
  place: JsonPlace
  value: unknown
  dialect: FilterDialect
}

const nothing: Condition = sql`1 = 0`
const everything: Condition = sql`1 = 1`

/** A missing key makes `condition` NULL; its opposite must hold then. */
const not = (condition: Condition): Condition => sql`(${condition}) is not true`

function joined(conditions: Condition[], join: 'AND' | 'OR'): Condition {
  if (conditions.length === 0) return join === 'AND' ? everything : nothing
  const separator = join === 'AND' ? sql` and ` : sql` or `
  return sql`(${sql.join(conditions, separator)})`
}

/** Compared by the code's own operator; only the value comes from outside. */
const compare = (left: RawBuilder<unknown>, comparison: Comparison, value: number): Condition =>
  sql`${left} ${sql.raw(comparison)} ${value}`

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])

/** Words to compare with a text form: strings, numbers and booleans; anything else is left out. */
const wordsOf = (value: unknown): string[] =>
  listOf(value)
    .filter((item) => ['string', 'number', 'boolean'].includes(typeof item))
    .map(String)

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** `1.0` is the number 1. Integers that a double cannot hold are compared by their text alone. */
function numbersAmong(words: string[]): number[] {
  return words
    .filter((word) => JSON_NUMBER.test(word))
    .filter((word) => !/^-?\d+$/.test(word) || Number.isSafeInteger(Number(word)))
    .map(Number)
    .filter(Number.isFinite)
}

function isAnyOf({ place, value, dialect }: Subject): Condition {
  const words = wordsOf(value)
  if (words.length === 0) return nothing
  const numbers = numbersAmong(words)
  const sameText: Condition = sql`${dialect.text(place)} in (${sql.join(words)})`
  if (numbers.length === 0) return sameText
  return joined([sameText, sql`${dialect.number(place)} in (${sql.join(numbers)})`], 'OR')
}

function containsAny({ place, value, dialect }: Subject): Condition {
  const text = dialect.text(place)
  return joined(
    wordsOf(value).map((word) => dialect.contains(text, word)),
    'OR',
  )
}

/** Null when the engine cannot read one of the patterns: neither `regex` nor `not_regex` matches anything then. */
function matchesAny({ place, value, dialect }: Subject): Condition | null {
  const text = dialect.text(place)
  const patterns = wordsOf(value).map((pattern) => dialect.matches(text, pattern))
  return patterns.every((pattern) => pattern !== null) ? joined(patterns, 'OR') : null
}

const comparesNumber =
  (comparison: Comparison) =>
  ({ place, value, dialect }: Subject): Condition => {
    const number = typeof value === 'number' ? value : readNumeric(String(value))
    return number === null ? nothing : compare(dialect.numeric(place), comparison, number)
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

const comparesDate =
  (condition: (instant: RawBuilder<unknown>, span: Span) => Condition) =>
  ({ place, value, dialect }: Subject): Condition => {
    const span = spanOf(value)
    return span ? condition(dialect.instant(dialect.text(place)), span) : nothing
  }

const comparesVersion =
  (comparison: Comparison) =>
  ({ place, value, dialect }: Subject): Condition => {
    const version = readVersion(String(value))
    if (!version) return nothing
    return compare(dialect.compareVersion(dialect.text(place), version.join('.')), comparison, 0)
  }

const withinVersions =
  (rangeOf: (text: string) => VersionRange | null) =>
  ({ place, value, dialect }: Subject): Condition => {
    const range = rangeOf(String(value))
    if (!range) return nothing
    const text = dialect.text(place)
    const from = dialect.compareVersion(text, range.lower.join('.'))
    const to = dialect.compareVersion(text, range.upper.join('.'))
    return joined([compare(from, '>=', 0), compare(to, '<', 0)], 'AND')
  }

const rangeBy = (range: (version: readonly number[]) => VersionRange) => (text: string) => {
  const version = readVersion(text)
  return version && range(version)
}

const OPERATORS: Record<PropertyOperator, (subject: Subject) => Condition> = {
  exact: isAnyOf,
  is_not: (subject) => not(isAnyOf(subject)),
  icontains: containsAny,
  not_icontains: (subject) => not(containsAny(subject)),
  icontains_multi: containsAny,
  not_icontains_multi: (subject) => not(containsAny(subject)),
  regex: (subject) => matchesAny(subject) ?? nothing,
  not_regex(subject) {
    const condition = matchesAny(subject)
    return condition ? not(condition) : nothing
  },
  gt: comparesNumber('>'),
  gte: comparesNumber('>='),
  lt: comparesNumber('<'),
  lte: comparesNumber('<='),
  is_set: ({ place, dialect }) => dialect.hasKey(place),
  is_not_set: ({ place, dialect }) => not(dialect.hasKey(place)),
  is_date_exact: comparesDate((at, { from, to }) => joined([compare(at, '>=', from), compare(at, '<', to)], 'AND')),
  is_date_before: comparesDate((at, { given }) => compare(at, '<', given)),
  is_date_after: comparesDate((at, { given, to, wholeDay }) =>
    wholeDay ? compare(at, '>=', to) : compare(at, '>', given),
  ),
  semver_eq: comparesVersion('='),
  semver_neq: comparesVersion('<>'),
  semver_gt: comparesVersion('>'),
  semver_gte: comparesVersion('>='),
  semver_lt: comparesVersion('<'),
  semver_lte: comparesVersion('<='),
  semver_tilde: withinVersions(rangeBy(tildeRange)),
  semver_caret: withinVersions(rangeBy(caretRange)),
  semver_wildcard: withinVersions(readWildcardRange),
}

function conditionSql({ key, operator, value }: PropertyCondition, column: string, dialect: FilterDialect): Condition {
  return sql`(${OPERATORS[operator]({ place: { column, key }, value, dialect })})`
}

/** `column` may carry its table's name: `persons.properties`. */
export function propertyFilterSql(filter: PropertyFilter, column: string, dialect: FilterDialect): Condition {
  if (!('join' in filter)) return conditionSql(filter, column, dialect)
  return joined(
    filter.of.map((item) => propertyFilterSql(item, column, dialect)),
    filter.join,
  )
}

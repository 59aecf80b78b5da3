/**
 * The value of one property condition: what each operator accepts, and how it is converted to the form that
 * the stores use (see property-filter.ts). Problems are returned, not thrown: the caller adds the path.
 */
import { readNumeric } from '../../lib/text/numeric.ts'
import { readVersion, readWildcardRange } from '../../lib/text/semver.ts'
import { DAY, formatInstant, isDateOnly, readInstant } from '../../lib/time/time.ts'
import type { PropertyOperator } from '../../model/persons/person.ts'
import { readRelativeDate } from './relative-date.ts'

type Read = { value: unknown } | { problem: string }
type Reader = (value: unknown, operator: PropertyOperator, now: number) => Read

const isWord = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)

const isMissing = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0)

/** Clients wrap single values in a list. */
const unwrap = (value: unknown): unknown => (Array.isArray(value) && value.length === 1 ? value[0] : value)

const missing = (operator: PropertyOperator): Read => ({ problem: `operator '${operator}' needs a value.` })

const none: Reader = () => ({ value: null })

const words: Reader = (value, operator) => {
  if (isMissing(value)) return missing(operator)
  const list = Array.isArray(value) ? value : [value]
  if (!list.every(isWord)) return { problem: 'value must be text, a number, a boolean or a list of these.' }
  return { value }
}

const number: Reader = (value, operator) => {
  const one = unwrap(value)
  if (isMissing(one)) return missing(operator)
  const read = typeof one === 'string' ? readNumeric(one) : one
  if (typeof read !== 'number' || !Number.isFinite(read)) return { problem: `operator '${operator}' needs a number.` }
  return { value: read }
}

/** A date stays a date, because it means the whole day; everything else becomes an instant. */
function readDate(text: string, operator: PropertyOperator, now: number): string | null {
  const relative = readRelativeDate(text, now)
  const instant = relative ? relative.instant : readInstant(text)
  if (instant === null) return null
  const wholeDay = relative ? relative.wholeDays && operator === 'is_date_exact' : isDateOnly(text)
  const written = formatInstant(wholeDay ? Math.floor(instant / DAY) * DAY : instant)
  if (readInstant(written) === null) return null
  return wholeDay ? written.slice(0, 10) : written
}

const date: Reader = (value, operator, now) => {
  const one = unwrap(value)
  if (isMissing(one)) return missing(operator)
  const read = typeof one === 'string' ? readDate(one, operator, now) : null
  if (read === null) {
    return { problem: `operator '${operator}' needs an ISO 8601 date or date-time, or a relative date such as -7d.` }
  }
  return { value: read }
}

const versionBy =
  (isReadable: (text: string) => boolean, example: string): Reader =>
  (value, operator) => {
    const one = unwrap(value)
    if (isMissing(one)) return missing(operator)
    const text = typeof one === 'number' ? String(one) : one
    if (typeof text === 'string' && isReadable(text)) return { value: text.trim() }
    return { problem: `operator '${operator}' needs a version such as ${example}.` }
  }

const version = versionBy((text) => readVersion(text) !== null, '1.2.3')
const wildcard = versionBy((text) => readWildcardRange(text) !== null, '1.2.*')

const READERS: Record<PropertyOperator, Reader> = {
  exact: words,
  is_not: words,
  icontains: words,
  not_icontains: words,
  icontains_multi: words,
  not_icontains_multi: words,
  regex: words,
  not_regex: words,
  gt: number,
  gte: number,
  lt: number,
  lte: number,
  is_set: none,
  is_not_set: none,
  is_date_exact: date,
  is_date_before: date,
  is_date_after: date,
  semver_eq: version,
  semver_neq: version,
  semver_gt: version,
  semver_gte: version,
  semver_lt: version,
  semver_lte: version,
  semver_tilde: version,
  semver_caret: version,
  semver_wildcard: wildcard,
}

export const isPropertyOperator = (text: string): text is PropertyOperator => Object.hasOwn(READERS, text)

/** The value as the stores use it, or what is wrong with it. */
export const readFilterValue = (operator: PropertyOperator, value: unknown, now: number): Read =>
  READERS[operator](value, operator, now)

/**
 * Conditions on properties as the API takes them (docs/filters.md): a list, all of which must hold, or a group. An address
 * holds the same JSON. Pure, so that a screen's address can be read without the bar that shows it.
 */

/** What is compared with: several values of which one has to fit, one of a kind, or nothing. */
export type ValueKind = 'list' | 'number' | 'date' | 'version' | 'none'

/** Every operator of the API, with its words and what it wants. */
export const OPERATORS = {
  exact: ['is', 'list'],
  is_not: ['is not', 'list'],
  icontains: ['contains', 'list'],
  not_icontains: ['does not contain', 'list'],
  icontains_multi: ['contains one of', 'list'],
  not_icontains_multi: ['contains none of', 'list'],
  regex: ['matches the pattern', 'list'],
  not_regex: ['does not match the pattern', 'list'],
  is_set: ['is set', 'none'],
  is_not_set: ['is not set', 'none'],
  gt: ['is more than', 'number'],
  gte: ['is at least', 'number'],
  lt: ['is less than', 'number'],
  lte: ['is at most', 'number'],
  is_date_exact: ['is on', 'date'],
  is_date_before: ['is before', 'date'],
  is_date_after: ['is after', 'date'],
  semver_eq: ['is version', 'version'],
  semver_neq: ['is not version', 'version'],
  semver_gt: ['is a version after', 'version'],
  semver_gte: ['is version … or later:', 'version'],
  semver_lt: ['is a version before', 'version'],
  semver_lte: ['is version … or earlier:', 'version'],
  semver_tilde: ['is a patch of version', 'version'],
  semver_caret: ['is compatible with version', 'version'],
  semver_wildcard: ['fits the version', 'version'],
} as const satisfies Record<string, readonly [words: string, kind: ValueKind]>

export type Operator = keyof typeof OPERATORS
export const OPERATOR_NAMES = Object.keys(OPERATORS) as Operator[]

type Scalar = string | number | boolean
export type FilterValue = Scalar | Scalar[]

export interface Condition {
  key: string
  operator: Operator
  /** Missing where the operator wants none. */
  value?: FilterValue
  /** Whose property it is, where a list has several kinds: `person`, `event`. */
  type?: string
}

export interface Group {
  type: 'AND' | 'OR'
  values: (Condition | Group)[]
}

export type Filters = Condition[] | Group

export const kindOf = (operator: Operator): ValueKind => OPERATORS[operator][1]

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isScalar = (value: unknown): value is Scalar => ['string', 'number', 'boolean'].includes(typeof value)

function readValue(value: unknown, kind: ValueKind): FilterValue | undefined {
  if (isScalar(value)) return value
  const isList = kind === 'list' && Array.isArray(value) && value.length > 0 && value.every(isScalar)
  return isList ? value : undefined
}

function readCondition(item: unknown): Condition | undefined {
  if (!isObject(item) || typeof item.key !== 'string') return undefined
  const { key, operator: named = 'exact', type } = item
  const operator = OPERATOR_NAMES.find((name) => name === named)
  if (operator === undefined || (type != null && typeof type !== 'string')) return undefined
  const whose = type == null ? {} : { type }
  const kind = kindOf(operator)
  if (kind === 'none') return { key, operator, ...whose }
  const value = readValue(item.value, kind)
  return value === undefined ? undefined : { key, operator, value, ...whose }
}

/** All of them, or none when one cannot be read. */
function readAll<T>(items: unknown[], read: (item: unknown) => T | undefined): T[] | undefined {
  const found = items.map(read).filter((item) => item !== undefined)
  return found.length === items.length ? found : undefined
}

const isGroup = (item: unknown): item is { type: 'AND' | 'OR'; values: unknown[] } =>
  isObject(item) && (item.type === 'AND' || item.type === 'OR') && Array.isArray(item.values)

function readGroup(item: unknown): Group | undefined {
  if (!isGroup(item)) return undefined
  const values = readAll<Condition | Group>(item.values, (inner) => readGroup(inner) ?? readCondition(inner))
  return values && { type: item.type, values }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Undefined when the text is none of the API's filters. */
export function parseFilters(text: string): Filters | undefined {
  if (text === '') return []
  const found = parseJson(text)
  return Array.isArray(found) ? readAll(found, readCondition) : readGroup(found)
}

export const hasFilters = (filters: Filters): boolean => !Array.isArray(filters) || filters.length > 0

/** As the API takes them; empty for none. */
export const formatFilters = (filters: Filters): string => (hasFilters(filters) ? JSON.stringify(filters) : '')

/** A field of a screen's address. */
export const filtersField = { fallback: [] as Filters, parse: parseFilters, format: formatFilters }

/** Conditions on properties, as the API takes them: read from their JSON, added to it, taken away, and said in words. */

export interface Condition {
  key: string
  value?: unknown
  operator?: string
  type?: string
}

const isCondition = (item: unknown): item is Condition =>
  typeof item === 'object' && item !== null && typeof (item as Condition).key === 'string'

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    // Whatever it is, the server says what is wrong with it.
    return null
  }
}

/** Empty without any; null when it is something else than a plain list, such as a group. */
export function conditionsOf(json: string): Condition[] | null {
  if (json === '') return []
  const parsed = parse(json)
  return Array.isArray(parsed) && parsed.every(isCondition) ? parsed : null
}

const write = (conditions: readonly Condition[]): string => (conditions.length === 0 ? '' : JSON.stringify(conditions))

const isSame = (one: Condition, other: Condition): boolean => JSON.stringify(one) === JSON.stringify(other)

/** A group stays as it is, and both have to hold. */
export function withCondition(json: string, condition: Condition): string {
  const list = conditionsOf(json)
  if (list) return list.some((one) => isSame(one, condition)) ? json : write([...list, condition])
  const group = parse(json)
  if (typeof group !== 'object' || group === null || Array.isArray(group)) return write([condition])
  return JSON.stringify({ type: 'AND', values: [group, { type: 'AND', values: [condition] }] })
}

export const withoutCondition = (json: string, at: number): string =>
  write((conditionsOf(json) ?? []).filter((_, index) => index !== at))

const OPERATORS: Partial<Record<string, string>> = {
  exact: '=',
  is_not: '≠',
  icontains: 'contains',
  not_icontains: 'does not contain',
  gt: '>',
  gte: '≥',
  lt: '<',
  lte: '≤',
  is_set: 'is set',
  is_not_set: 'is not set',
}

const LONGEST = 60

export function conditionInWords({ key, value, operator = 'exact', type }: Condition): string {
  const who = type === 'person' ? 'person’s ' : ''
  const how = OPERATORS[operator] ?? operator.replaceAll('_', ' ')
  if (operator === 'is_set' || operator === 'is_not_set') return `${who}${key} ${how}`
  const values = [value].flat().map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
  const said = values.join(' or ')
  return `${who}${key} ${how} ${said.length > LONGEST ? `${said.slice(0, LONGEST)}…` : said}`
}

const LONGEST_VALUE = 1_000

/** A property of an event as a condition; null for what cannot be compared, or only at great length. */
export function asCondition(key: string, value: unknown): Condition | null {
  const isPlain = typeof value === 'number' || typeof value === 'boolean'
  if (!isPlain && (typeof value !== 'string' || value.length > LONGEST_VALUE)) return null
  return { key, value, operator: 'exact', type: 'event' }
}

/** Properties whose changes make a timeline, as the API is told them: conditions, of which only the keys count. */
import { type Condition, type Filters, formatFilters, type Group } from '../../../kit/filters/property-filter.ts'

const conditionOn = (key: string): Condition => ({ key, operator: 'is_set', type: 'person' })

export const conditionsOn = (keys: readonly string[]): Condition[] => keys.map(conditionOn)

export const crucial = (keys: readonly string[]): string => formatFilters(conditionsOn(keys))

export function keysOf(filters: Filters): string[] {
  const inside = (item: Condition | Group): string[] => ('values' in item ? item.values.flatMap(inside) : [item.key])
  return [...new Set(Array.isArray(filters) ? filters.flatMap(inside) : inside(filters))]
}

/** More would hardly be read; the API takes a hundred. */
const MANY = 20

/** What somebody who chose nothing wants to see: what was not set by an SDK. */
export function usualKeys(properties: Record<string, unknown>): string[] {
  const keys = Object.keys(properties)
  const own = keys.filter((key) => !key.startsWith('$'))
  return (own.length > 0 ? own : keys).slice(0, MANY)
}

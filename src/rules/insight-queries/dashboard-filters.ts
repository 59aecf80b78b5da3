/** Applies a dashboard's filters to a query: its dates replace the query's, its conditions are added. */
import { isJsonObject, type JsonObject } from '../../lib/json/json.ts'

const isUsed = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)

/** Both lists of conditions as one group. */
function bothOf(own: unknown, added: unknown): unknown {
  if (!isUsed(own)) return added
  const asGroup = (value: unknown) => (Array.isArray(value) ? { type: 'AND', values: value } : value)
  return { type: 'AND', values: [asGroup(own), asGroup(added)] }
}

function filteredInner(query: JsonObject, filters: Record<string, unknown>): JsonObject {
  const { date_from, date_to, explicitDate, properties, breakdown_filter } = filters
  const hasDates = isUsed(date_from) || isUsed(date_to)
  const takesBreakdown = query.kind === 'TrendsQuery' || query.kind === 'FunnelsQuery'
  return {
    ...query,
    ...(hasDates ? { dateRange: { date_from, date_to, explicitDate } } : {}),
    ...(isUsed(properties) ? { properties: bothOf(query.properties, properties) } : {}),
    ...(isUsed(breakdown_filter) && takesBreakdown ? { breakdownFilter: breakdown_filter } : {}),
  } as JsonObject
}

/** Without filters, the query itself. */
export function withDashboardFilters(
  query: Record<string, unknown>,
  filters: Record<string, unknown>,
): Record<string, unknown> {
  const { source } = query
  if (isJsonObject(source)) return { ...query, source: filteredInner(source, filters) }
  return filteredInner(query as JsonObject, filters)
}

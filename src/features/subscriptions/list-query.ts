/** The parameters of the list of subscriptions: filters, search and order. */
import { invalid } from '../../lib/errors.ts'
import {
  type ResourceType,
  SUBSCRIPTION_ORDERS,
  type SubscriptionFilter,
  type SubscriptionOrder,
  TARGET_TYPES,
  type TargetType,
} from '../../model/subscriptions/subscription.ts'
import { authorUuid, searchWords } from '../../rules/filters/list-filter.ts'
import type { SubscriptionListQuery } from './subscriptions.schema.ts'

function readTargetType(text: string): TargetType {
  const type = TARGET_TYPES.find((known) => known === text)
  if (type === undefined) throw invalid(`Must be one of: ${[...TARGET_TYPES].sort().join(', ')}.`, 'target_type')
  return type
}

/** PostHog's third kind is accepted and matches nothing here; an unknown kind does not filter, as in PostHog. */
function readResourceType(text: string | undefined): { resourceType?: ResourceType | 'none' } {
  if (text === 'ai_prompt') return { resourceType: 'none' }
  return text === 'insight' || text === 'dashboard' ? { resourceType: text } : {}
}

export const readFilter = (projectId: number, query: SubscriptionListQuery): SubscriptionFilter => ({
  projectId,
  deleted: query.deleted ?? false,
  ...(query.insight === undefined ? {} : { insightId: query.insight }),
  ...(query.dashboard === undefined ? {} : { dashboardId: query.dashboard }),
  ...(query.created_by ? { createdByUuid: authorUuid(query.created_by) } : {}),
  ...(query.target_type ? { targetType: readTargetType(query.target_type) } : {}),
  ...readResourceType(query.resource_type),
  ...(query.search ? { search: searchWords(query.search) } : {}),
})

/**
 * Names separated by commas, `-` before one for descending; unknown ones are ignored, of duplicate names the first
 * counts.
 */
export function readOrder(ordering: string | undefined): SubscriptionOrder[] {
  const orders = new Map<string, SubscriptionOrder>()
  for (const part of (ordering ?? '').split(',')) {
    const name = part.trim().replace(/^-/, '')
    const by = SUBSCRIPTION_ORDERS.find((known) => known === name)
    if (by && !orders.has(by)) orders.set(by, { by, descending: part.trim().startsWith('-') })
  }
  return [...orders.values()]
}

/**
 * What a subscription reports on: one insight, a dashboard, or the project's default dashboard when it names neither.
 */
import type { Insight } from '../../model/insights/insight.ts'
import type { SqlStores } from '../../model/stores.ts'
import type { ResourceType, Subscription } from '../../model/subscriptions/subscription.ts'
import { dashboardName, firstInsights, insightName } from '../../rules/insights/dashboard-tiles.ts'
import { NothingToSend } from './deliver.ts'

export interface Resource {
  kind: ResourceType
  id: number
  name: string
  /** The first ones, in layout order. */
  insights: Insight[]
  /** The number of all tiles. */
  tileCount: number
  /** The dashboard's filters on its insights. */
  filters: Record<string, unknown>
}

type Readers = Pick<SqlStores, 'dashboards' | 'insights'>

/** Rejects with NothingToSend when it is deleted. */
export async function resourceOf(readers: Readers, subscription: Subscription): Promise<Resource> {
  const { projectId, dashboardId, insightId } = subscription
  if (dashboardId === null && insightId !== null) {
    const insight = await readers.insights.find(projectId, insightId)
    if (!insight || insight.deleted) throw new NothingToSend('The insight was deleted.')
    return {
      kind: 'insight',
      id: insight.id,
      name: insightName(insight),
      insights: [insight],
      tileCount: 1,
      filters: {},
    }
  }
  const { dashboards } = readers
  const dashboard =
    dashboardId === null ? await dashboards.findDefault(projectId) : await dashboards.find(projectId, dashboardId)
  if (!dashboard || dashboard.deleted) throw new NothingToSend('The dashboard was deleted.')
  return {
    kind: 'dashboard',
    id: dashboard.id,
    name: dashboardName(dashboard),
    insights: await firstInsights(readers.insights, dashboard),
    tileCount: dashboard.tiles.length,
    filters: dashboard.filters,
  }
}

/** A stored dashboard as the API shows it: in short for lists, and with its tiles. */
import { formatInstant } from '../../lib/time/time.ts'
import type { Dashboard } from '../../model/insights/dashboard.ts'
import type { Insight } from '../../model/insights/insight.ts'
import type { SqlReaders } from '../../model/stores.ts'
import { inLayoutOrder } from '../../rules/insights/dashboard-tiles.ts'
import {
  type Authors,
  authorsOf,
  type InsightShown,
  viewAuthor,
  viewInsight,
} from '../../rules/insights/insight-view.ts'

export const viewListed = (dashboard: Dashboard, authors: Authors) => ({
  id: dashboard.id,
  name: dashboard.name,
  description: dashboard.description,
  pinned: dashboard.pinned,
  tags: dashboard.tags,
  created_at: formatInstant(dashboard.createdAt),
  created_by: viewAuthor(authors, dashboard.createdById),
  is_shared: false,
  deleted: dashboard.deleted,
  creation_mode: dashboard.creationMode,
})

/** Finds the results to show of these insights, by insight id. */
export type ShowTiles = (insights: Insight[]) => Promise<ReadonlyMap<number, InsightShown>>

/** Reads the content of the tiles. */
export async function viewDashboard(
  stores: Pick<SqlReaders, 'insights' | 'users'>,
  dashboard: Dashboard,
  timezone: string,
  show?: ShowTiles,
) {
  const ids = dashboard.tiles.map((tile) => tile.insightId)
  const insights = await stores.insights.findMany(dashboard.projectId, ids)
  const authors = await authorsOf(stores.users, [dashboard, ...insights])
  const shown = await show?.(insights)
  const byId = new Map(insights.map((insight) => [insight.id, insight]))
  const inOrder = inLayoutOrder(dashboard.tiles.filter(({ insightId }) => byId.has(insightId)))
  const orders = new Map(inOrder.map(({ id }, order) => [id, order]))
  const tiles = dashboard.tiles.flatMap(({ id, insightId, layouts, color }) => {
    const insight = byId.get(insightId)
    if (!insight) return []
    const found = shown?.get(insightId)
    const view = viewInsight(insight, authors, timezone, found)
    const order = orders.get(id) ?? 0
    return [{ id, order, layouts, color, error: found?.problem ?? null, insight: view }]
  })
  return { ...viewListed(dashboard, authors), filters: dashboard.filters, tiles }
}

export type DashboardView = Awaited<ReturnType<typeof viewDashboard>>

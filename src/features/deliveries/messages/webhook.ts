/** A report for programs: all computed results in full, under the field names of the API. */
import { formatOptional } from '../../../lib/time/time.ts'
import type { InsightResult } from '../../../model/insights/insight-result.ts'
import type { Report, ReportTile } from './report.ts'

/** The properties of a result besides its rows: its kind, and how it is meant to be shown. */
function queryOf(result: InsightResult | null): Record<string, unknown> {
  if (result === null) return { kind: null, result: null }
  const { rows, ...query } = result
  return { ...query, result: rows }
}

const viewTile = (tile: ReportTile) => ({
  insight_id: tile.insightId,
  name: tile.name,
  description: tile.description,
  url: tile.link,
  ...queryOf(tile.result),
  error: tile.result === null ? tile.error : null,
})

/** The body of the request, before it is signed. */
export function webhookContent(report: Report) {
  const { subscription, resource, creator } = report
  return {
    event: 'subscription.delivery',
    delivery_id: report.deliveryId,
    occasion: report.occasion,
    scheduled_at: formatOptional(report.scheduledAt),
    is_late: report.isLate,
    is_test: report.occasion === 'test',
    subscription: {
      id: subscription.id,
      title: subscription.title,
      summary: subscription.summary,
      next_delivery_date: formatOptional(subscription.nextDeliveryDate),
      timezone: subscription.timezone,
      invite_message: subscription.inviteMessage,
      created_by: { first_name: creator.firstName, email: creator.email },
      url: subscription.link,
    },
    resource: { type: resource.kind, id: resource.id, name: resource.name, url: resource.link },
    tiles: report.tiles.map(viewTile),
    tiles_shown: report.tiles.length,
    tiles_total: report.tileCount,
  }
}

/**
 * Makes the report of a delivery: computes its insights, and draws them where the message has pictures. Done once and
 * shared by the recipients that this process sends to, until data of the project is erased; an insight that cannot be
 * computed is replaced by an error text.
 */

import type { Project } from '../../model/accounts/project.ts'
import type { Insight } from '../../model/insights/insight.ts'
import type { InsightResult } from '../../model/insights/insight-result.ts'
import type { SqlStores } from '../../model/stores.ts'
import type { Delivery } from '../../model/subscriptions/delivery.ts'
import type { Subscription, TargetType } from '../../model/subscriptions/subscription.ts'
import { insightName, whyNotComputed } from '../../rules/insights/dashboard-tiles.ts'
import { summarise } from '../../rules/subscriptions/schedule-summary.ts'
import { NothingToSend } from './deliver.ts'
import type { Report, ReportTile } from './messages/report.ts'
import type { Links } from './report-links.ts'
import { type Resource, resourceOf } from './subscription-resource.ts'

export interface ReportParts {
  stores: Pick<SqlStores, 'projects' | 'users' | 'dashboards' | 'insights' | 'insightCache'>
  /** `filters`: of the dashboard that contains it. */
  compute: (project: Project, insight: Insight, filters: Record<string, unknown>) => Promise<InsightResult>
  draw: (project: Project, tile: Pick<ReportTile, 'name' | 'result' | 'error'>) => Promise<Buffer>
  links: Links
  /** Called when an insight of a report could not be computed. */
  failed: (insight: Insight, error: unknown) => void
}

/** Number of reports cached for further recipients. */
const CACHED_REPORTS = 8
const WITH_PICTURES: TargetType[] = ['email', 'teams']

export function createReportMaker({ stores, compute, draw, links, failed }: ReportParts) {
  async function tileOf(project: Project, insight: Insight, resource: Resource, withPicture: boolean) {
    const tile = {
      insightId: insight.id,
      name: insightName(insight),
      description: insight.description,
      link: links.insight(project.id, insight.id),
    }
    const outcome = await compute(project, insight, resource.filters).then(
      (result) => ({ result, error: null }),
      (error: unknown) => {
        failed(insight, error)
        return { result: null, error: whyNotComputed(error) }
      },
    )
    const png = withPicture ? await draw(project, { name: tile.name, ...outcome }) : null
    return { ...tile, ...outcome, png }
  }

  async function make(delivery: Delivery, subscription: Subscription): Promise<Report> {
    const { projectId } = delivery
    const project = await stores.projects.find(projectId)
    const creator = await stores.users.find(subscription.createdById)
    if (!project || !creator) throw new NothingToSend('The project was removed.')
    const resource = await resourceOf(stores, subscription)
    const { kind, id, name, tileCount } = resource
    const tiles: ReportTile[] = []
    // One after the other: each may need all the memory that the event store allows.
    for (const insight of resource.insights) {
      tiles.push(await tileOf(project, insight, resource, WITH_PICTURES.includes(delivery.targetType)))
    }
    const { title, nextDeliveryDate, timezone, inviteMessage } = subscription
    return {
      occasion: delivery.occasion,
      deliveryId: delivery.id,
      scheduledAt: delivery.scheduledAt,
      isLate: delivery.isLate,
      subscription: {
        id: subscription.id,
        title,
        summary: summarise(subscription),
        nextDeliveryDate,
        timezone,
        inviteMessage,
        link: links.subscription(projectId, subscription.id),
      },
      creator: { firstName: creator.firstName, email: creator.email },
      resource: { kind, id, name, link: links[kind](projectId, id) },
      tiles,
      tileCount,
      pages: links.pages(projectId),
    }
  }

  const cache = new Map<string, { report: Promise<Report>; erasures: number | null }>()
  return async (delivery: Delivery, subscription: Subscription): Promise<Report> => {
    const erasures = await stores.insightCache.erasures(delivery.projectId)
    const known = cache.get(delivery.id)
    if (known?.erasures === erasures) return known.report
    const report = make(delivery, subscription)
    report.catch(() => cache.delete(delivery.id))
    cache.set(delivery.id, { report, erasures })
    const [oldest] = cache.keys()
    if (cache.size > CACHED_REPORTS && oldest !== undefined) cache.delete(oldest)
    return report
  }
}

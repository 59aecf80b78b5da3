/**
 * Insights and dashboards as pictures: finds them, and has them computed and drawn. On a dashboard an insight that
 * cannot be computed is a box with the reason, so that the others are still shown; requested on its own it is an error.
 */

import { AppError, notFound } from '../../lib/errors.ts'
import { readId } from '../../lib/ids.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { toWall } from '../../lib/time/time-zone.ts'
import type { Project } from '../../model/accounts/project.ts'
import type { Dashboard } from '../../model/insights/dashboard.ts'
import type { Insight } from '../../model/insights/insight.ts'
import type { InsightResult } from '../../model/insights/insight-result.ts'
import type { Stores } from '../../model/stores.ts'
import { dashboardName, firstInsights, insightName, whyNotComputed } from '../../rules/insights/dashboard-tiles.ts'
import { findInsight, liveInsight } from '../../rules/insights/find-insight.ts'
import type { ChartQuery } from './charts.schema.ts'

interface Tile {
  title: string
  result: InsightResult | null
  error?: string
}

type Filters = Dashboard['filters']

interface Look {
  theme: 'light' | 'dark'
  width: number
  wallNow: number
}

export interface ChartsParts {
  stores: Pick<Stores, 'insights' | 'dashboards'>
  clock: Clock
  /** `filters`: of the dashboard on which it is shown. */
  compute: (project: Project, insight: Insight, options?: { filters: Filters }) => Promise<{ result: InsightResult }>
  drawInsight: (picture: Tile & Look) => Promise<string>
  drawDashboard: (picture: { title: string; tiles: Tile[] } & Look) => Promise<string>
  toPng: (svg: string) => Promise<Buffer>
  /** An insight of a dashboard could not be computed. */
  failed: (insight: Insight, error: unknown) => void
}

/** Errors that may pass when retried; invalid queries and faults are drawn into the picture instead. */
const isPassing = (error: unknown): boolean => error instanceof AppError && error.kind === 'unavailable'

export function createChartsFeature({
  stores,
  clock,
  compute,
  drawInsight,
  drawDashboard,
  toPng,
  failed,
}: ChartsParts) {
  const lookOf = ({ width = 600, theme = 'light' }: ChartQuery, { timezone }: Project): Look => ({
    width,
    theme,
    wallNow: toWall(clock.now(), timezone),
  })

  async function tileOf(project: Project, insight: Insight, filters: Filters): Promise<Tile> {
    const title = insightName(insight)
    try {
      return { title, result: (await compute(project, insight, { filters })).result }
    } catch (error) {
      if (isPassing(error)) throw error
      failed(insight, error)
      return { title, result: null, error: whyNotComputed(error) }
    }
  }

  return {
    toPng,
    async insight(project: Project, id: string, query: ChartQuery): Promise<string> {
      const insight = liveInsight(await findInsight(stores.insights, project.id, id))
      const { result } = await compute(project, insight)
      return drawInsight({ title: insightName(insight), result, ...lookOf(query, project) })
    },
    async dashboard(project: Project, id: string, query: ChartQuery): Promise<string> {
      const dashboard = await stores.dashboards.find(project.id, readId(id))
      if (!dashboard || dashboard.deleted) throw notFound()
      const tiles: Tile[] = []
      // One after the other: each may need all the memory that the event store allows.
      for (const insight of await firstInsights(stores.insights, dashboard)) {
        tiles.push(await tileOf(project, insight, dashboard.filters))
      }
      return drawDashboard({ title: dashboardName(dashboard), tiles, ...lookOf(query, project) })
    },
  }
}

export type ChartsFeature = ReturnType<typeof createChartsFeature>

/** Computes what a query asks. Handed to everyone who shows results: routes, charts, reports. */
import type { Clock } from '../../../lib/clock.ts'
import { invalid } from '../../../lib/errors.ts'
import type { Insight } from '../../../model/insight.ts'
import type { InsightStore } from '../../../model/insight-question.ts'
import type { InsightResult } from '../../../model/insight-result.ts'
import type { Project } from '../../../model/project.ts'
import type { Stores } from '../../../model/stores.ts'
import { needsEarliest, type Plan, readQuestion } from '../../../rules/insights/read-question.ts'
import { funnelResult, lifecycleResult, retentionResult } from './other-rows.ts'
import { trendResult } from './trend-rows.ts'

export interface Computed {
  result: InsightResult
  /** When it was computed. */
  lastRefresh: number
  isCached: boolean
}

export interface ComputeParts {
  stores: Pick<Stores, 'events'>
  clock: Clock
}

function resultOf(store: InsightStore, plan: Plan): Promise<InsightResult> {
  switch (plan.kind) {
    case 'TrendsQuery':
      return trendResult(store, plan)
    case 'FunnelsQuery':
      return funnelResult(store, plan)
    case 'RetentionQuery':
      return retentionResult(store, plan)
    case 'LifecycleQuery':
      return lifecycleResult(store, plan)
  }
}

export function createCompute({ stores, clock }: ComputeParts) {
  const { events } = stores

  async function computeQuery(project: Project, query: unknown): Promise<Computed> {
    const now = clock.now()
    const earliestAt = needsEarliest(query) ? await events.earliestEventAt(project.id) : null
    const plan = readQuestion(query, { projectId: project.id, zone: project.timezone, now, earliestAt })
    return { result: await resultOf(events, plan), lastRefresh: now, isCached: false }
  }

  return {
    computeQuery,
    /** `invalid` when the insight asks something that is not computed. */
    computeInsight(project: Project, insight: Pick<Insight, 'query'>): Promise<Computed> {
      if (insight.query === null) throw invalid('Insights in the older form (filters) are not supported.', 'filters')
      return computeQuery(project, insight.query)
    },
  }
}

export type Compute = ReturnType<typeof createCompute>
export type ComputeInsight = Compute['computeInsight']

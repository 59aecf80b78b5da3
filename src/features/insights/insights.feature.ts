/** Insights, put together: what is kept of them, and the computing of their results, which reports and pictures use too. */
import type { Clock } from '../../lib/time/clock.ts'
import { type ComputeParts, createCompute } from './compute/compute.ts'
import { createInsightResults } from './compute/insight-results.ts'
import { createInsights, type InsightsParts } from './insights.ts'

export interface InsightsFeatureParts {
  stores: InsightsParts['stores'] & ComputeParts['stores']
  clock: Clock
}

export function createInsightsFeature({ stores, clock }: InsightsFeatureParts) {
  const compute = createCompute({ stores, clock })
  const results = createInsightResults(compute)
  return { ...createInsights({ stores, clock, show: results }), compute, results }
}

export type InsightsFeature = ReturnType<typeof createInsightsFeature>

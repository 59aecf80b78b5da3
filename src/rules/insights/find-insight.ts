/** Finds the insight that a path parameter names. */
import { notFound } from '../../lib/errors.ts'
import type { Insight, InsightReader } from '../../model/insights/insight.ts'

/** By the integer id or the short id; deleted ones too. */
export async function findInsight(
  insights: Pick<InsightReader, 'find' | 'findByShortId'>,
  projectId: number,
  id: string,
): Promise<Insight | null> {
  if (!/^\d+$/.test(id)) return insights.findByShortId(projectId, id)
  return id.length <= 15 ? insights.find(projectId, Number(id)) : null
}

/** Throws not found for a deleted one too. */
export function liveInsight(insight: Insight | null): Insight {
  if (!insight || insight.deleted) throw notFound()
  return insight
}

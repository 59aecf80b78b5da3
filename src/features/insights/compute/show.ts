/** Results beside the insights that asked for them: of one, of a list, of the tiles of a dashboard. */
import { AppError } from '../../../lib/errors.ts'
import type { Insight } from '../../../model/insight.ts'
import type { Project } from '../../../model/project.ts'
import type { InsightShown } from '../../../rules/insight-view.ts'
import { narrowed } from '../../../rules/insights/narrow.ts'
import type { Refresh } from '../../../rules/insights/refresh.ts'
import type { Compute, ComputeOptions } from './compute.ts'

/** Lists hold up to a thousand results; larger ones are left to the insight itself. */
const MAX_LISTED_BYTES = 100_000

export type ShownById = Map<number, InsightShown>

export function createShow({ computeInsight, kept }: Compute) {
  async function keptOf(project: Project, insights: Insight[], filters: Record<string, unknown>): Promise<ShownById> {
    const asking = insights.filter((insight) => insight.query !== null)
    const queries = asking.map(({ query }) => narrowed(query ?? {}, filters))
    const results = await kept(project, queries, MAX_LISTED_BYTES)
    return new Map(asking.map(({ id }, place) => [id, { computed: results[place] ?? null, problem: null }]))
  }

  /** A question that is not computed is told as its problem, so that it does not take the others with it. */
  async function tryToCompute(project: Project, insight: Insight, options: ComputeOptions): Promise<InsightShown> {
    try {
      return { computed: await computeInsight(project, insight, options), problem: null }
    } catch (error) {
      if (!(error instanceof AppError) || error.kind !== 'invalid') throw error
      return { computed: null, problem: error.message }
    }
  }

  return {
    /** `invalid` when the insight asks something that is not computed and is to be computed. */
    async one(project: Project, insight: Insight, refresh: Refresh): Promise<InsightShown> {
      if (refresh !== 'cached') return { computed: await computeInsight(project, insight, { refresh }), problem: null }
      const [computed = null] = insight.query ? await kept(project, [insight.query]) : []
      return { computed, problem: null }
    },
    /** By the id of the insight; one that is missing has nothing to show. `filters` narrow them all. */
    async many(
      project: Project,
      insights: Insight[],
      refresh: Refresh,
      filters: Record<string, unknown> = {},
    ): Promise<ShownById> {
      if (refresh === 'cached') return keptOf(project, insights, filters)
      const shown: ShownById = new Map()
      for (const insight of insights) shown.set(insight.id, await tryToCompute(project, insight, { refresh, filters }))
      return shown
    },
  }
}

export type ShowInsights = ReturnType<typeof createShow>

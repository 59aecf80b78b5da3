/** Results for insights: of one, of a list, of the tiles of a dashboard. */

import { AppError } from '../../../lib/errors.ts'
import { chunks } from '../../../lib/lists/lists.ts'
import { fullNumber } from '../../../lib/text/human-format.ts'
import type { Project } from '../../../model/accounts/project.ts'
import type { Insight } from '../../../model/insights/insight.ts'
import { PAGE_BYTES } from '../../../model/page.ts'
import { withDashboardFilters } from '../../../rules/insight-queries/dashboard-filters.ts'
import type { Refresh } from '../../../rules/insight-queries/refresh.ts'
import { cellsOf, MAX_CELLS } from '../../../rules/insight-queries/result-size-limit.ts'
import type { InsightShown } from '../../../rules/insights/insight-view.ts'
import type { Compute, ComputeOptions } from './compute.ts'

/**
 * Larger results, and those that would make a list larger than a page may be, are only shown with the insight itself.
 */
const MAX_LISTED_BYTES = 100_000
/** Limit of the results of one answer together; the last one may exceed it. Some 20 MB as JSON. */
const MAX_SHOWN_CELLS = 2 * MAX_CELLS
/** Results looked up at once. */
const LOOKED_UP = 50
const listedBytes = (count: number): number => Math.min(MAX_LISTED_BYTES, Math.floor(PAGE_BYTES / Math.max(1, count)))

export type ShownById = Map<number, InsightShown>

/** The results of one answer, until it is full. */
class Shown {
  readonly byId: ShownById = new Map()
  cells = 0

  get isFull(): boolean {
    return this.cells >= MAX_SHOWN_CELLS
  }

  add({ id }: Insight, shown: InsightShown): void {
    this.byId.set(id, shown)
    if (shown.computed) this.cells += cellsOf(shown.computed.result)
  }
}

const omitted = (cells: number): InsightShown => ({
  computed: null,
  problem: `Other tiles have ${fullNumber(cells)} cells already, which fills the answer. Read this insight by itself, or lower what the tiles ask for.`,
})

export function createInsightResults({ computeInsight, kept }: Compute) {
  async function keptOf(project: Project, insights: Insight[], filters: Record<string, unknown>): Promise<ShownById> {
    const withQuery = insights.filter((insight) => insight.query !== null)
    const shown = new Shown()
    for (const some of chunks(withQuery, LOOKED_UP)) {
      if (shown.isFull) break
      const queries = some.map(({ query }) => withDashboardFilters(query ?? {}, filters))
      const results = await kept(project, queries, listedBytes(withQuery.length))
      for (const [place, insight] of some.entries()) {
        shown.add(insight, { computed: shown.isFull ? null : (results[place] ?? null), problem: null })
      }
    }
    return shown.byId
  }

  /** A query that is not supported is returned as a problem, so that the other results are still shown. */
  async function tryToCompute(project: Project, insight: Insight, options: ComputeOptions): Promise<InsightShown> {
    try {
      return { computed: await computeInsight(project, insight, options), problem: null }
    } catch (error) {
      if (!(error instanceof AppError) || error.kind !== 'invalid') throw error
      return { computed: null, problem: error.message }
    }
  }

  return {
    /** `invalid` when the insight has to be computed and its query is not supported. */
    async one(project: Project, insight: Insight, refresh: Refresh): Promise<InsightShown> {
      if (refresh !== 'cached') return { computed: await computeInsight(project, insight, { refresh }), problem: null }
      const [computed = null] = insight.query ? await kept(project, [insight.query]) : []
      return { computed, problem: null }
    },
    /** By insight id; one that is missing has no result. `filters` apply to all. */
    async many(
      project: Project,
      insights: Insight[],
      refresh: Refresh,
      filters: Record<string, unknown> = {},
    ): Promise<ShownById> {
      if (refresh === 'cached') return keptOf(project, insights, filters)
      const shown = new Shown()
      for (const insight of insights) {
        const options = { refresh, filters }
        shown.add(insight, shown.isFull ? omitted(shown.cells) : await tryToCompute(project, insight, options))
      }
      return shown.byId
    },
  }
}

export type InsightResults = ReturnType<typeof createInsightResults>

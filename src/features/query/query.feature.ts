/** Answers a query in PostHog's form; the computation is passed in. */
import { notFound } from '../../lib/errors.ts'
import { formatInstant } from '../../lib/time/time.ts'
import type { Project } from '../../model/accounts/project.ts'
import type { ComputedInsight } from '../../model/insights/insight-result.ts'
import { type Refresh, readRefresh } from '../../rules/insight-queries/refresh.ts'

type QueryNode = Record<string, unknown>

export interface QueryParts {
  compute: (
    project: Project,
    query: QueryNode,
    options: { refresh: Exclude<Refresh, 'cached'> },
  ) => Promise<ComputedInsight>
  kept: (project: Project, queries: QueryNode[]) => Promise<(ComputedInsight | null)[]>
}

export function createQueryFeature({ compute, kept }: QueryParts) {
  async function answer(project: Project, query: QueryNode, refresh: Refresh): Promise<ComputedInsight> {
    if (refresh !== 'cached') return compute(project, query, { refresh })
    const [found] = await kept(project, [query])
    if (!found) throw notFound('No result of this query is kept. Ask with another value of refresh.')
    return found
  }

  return {
    async run(project: Project, body: { query: QueryNode; refresh?: unknown }) {
      const { result, lastRefresh, isCached } = await answer(
        project,
        body.query,
        readRefresh(body.refresh, 'when_stale'),
      )
      return {
        results: result.rows,
        timezone: project.timezone,
        last_refresh: formatInstant(lastRefresh),
        is_cached: isCached,
      }
    },
  }
}

export type QueryFeature = ReturnType<typeof createQueryFeature>

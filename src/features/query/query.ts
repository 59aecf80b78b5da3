/** Answers a query in PostHog's form; how it is computed is handed in. */
import { formatInstant } from '../../lib/time.ts'
import type { InsightResult } from '../../model/insight-result.ts'
import type { Project } from '../../model/project.ts'

export interface QueryParts {
  compute: (
    project: Project,
    query: unknown,
  ) => Promise<{ result: InsightResult; lastRefresh: number; isCached: boolean }>
}

export function createQuery({ compute }: QueryParts) {
  return {
    async run(project: Project, body: { query: unknown }) {
      const { result, lastRefresh, isCached } = await compute(project, body.query)
      return {
        results: result.rows,
        timezone: project.timezone,
        last_refresh: formatInstant(lastRefresh),
        is_cached: isCached,
      }
    },
  }
}

export type Query = ReturnType<typeof createQuery>

/**
 * Computes a query and caches the result until data or time make it stale. Passed to all that show results: routes,
 * charts, reports. Concurrent requests for the same question are computed once. Two questions are computed at a time;
 * the others wait, those of one project in order of arrival, and projects take turns. When too many wait, a request is
 * refused with `unavailable`; reports wait all the same.
 */

import { FairQueue } from '../../../lib/concurrency/fair-queue.ts'
import { invalid, unavailable } from '../../../lib/errors.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import { DAY } from '../../../lib/time/time.ts'
import type { Project } from '../../../model/accounts/project.ts'
import type { Insight } from '../../../model/insights/insight.ts'
import type { CachedResult } from '../../../model/insights/insight-cache.ts'
import type { InsightStore } from '../../../model/insights/insight-question.ts'
import type { ComputedInsight, InsightResult } from '../../../model/insights/insight-result.ts'
import type { Stores } from '../../../model/stores.ts'
import { withDashboardFilters } from '../../../rules/insight-queries/dashboard-filters.ts'
import { needsEarliest, type Plan, readQuestion } from '../../../rules/insight-queries/read-question.ts'
import type { Refresh } from '../../../rules/insight-queries/refresh.ts'
import { questionKey, questionState } from './question-key.ts'
import { funnelResult, lifecycleResult, retentionResult, trendResult } from './result-rows.ts'

export interface ComputeParts {
  stores: Pick<Stores, 'events' | 'insightCache' | 'transaction'>
  clock: Clock
}

export interface ComputeOptions {
  /** `when_stale` unless given. */
  refresh?: Exclude<Refresh, 'cached'>
  /** Of the dashboard on which the insight is shown. */
  filters?: Record<string, unknown>
  /** Whether nobody waits for an answer: it is computed however many others wait. */
  isBackground?: boolean
}

const CACHED_MS = 30 * DAY
/** Per project. */
const MAX_CACHED_RESULTS = 1_000
/** Larger results are computed each time. */
const MAX_CACHED_BYTES = 1_000_000

/** Insights computed at once; the others wait, and projects take turns. */
const AT_ONCE = 2
/** Insights that may wait for their turn. */
const MAX_WAITING_OF_PROJECT = 20
const MAX_WAITING = 100
const RETRY_SECONDS = 5

const createQueue = () =>
  new FairQueue<number>({
    atOnce: AT_ONCE,
    maxWaitingOfOne: MAX_WAITING_OF_PROJECT,
    maxWaiting: MAX_WAITING,
    full: () => unavailable('Too many insights wait to be computed. Try again in a few seconds.', RETRY_SECONDS),
  })

type Query = Record<string, unknown>
/** What is known of a result before it is computed. */
type Entry = Omit<CachedResult, 'result'> & { erasures: number | null }

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

const fromCache = ({ result, computedAt }: CachedResult): ComputedInsight => ({
  result,
  lastRefresh: computedAt,
  isCached: true,
})

function queryOf(insight: Pick<Insight, 'query'>, filters: Query = {}): Query {
  if (insight.query === null) {
    throw invalid('Insights in the older form, without a query, are not supported.', 'query', 'not_supported')
  }
  return withDashboardFilters(insight.query, filters)
}

/** Stores results; see model/insights/insight-cache.ts. */
function createResultCache({ stores }: ComputeParts) {
  return {
    find: (project: Project, keys: string[], maxBytes: number) => stores.insightCache.find(project.id, keys, maxBytes),
    async keep(cached: CachedResult, erasures: number | null): Promise<void> {
      if (Buffer.byteLength(JSON.stringify(cached.result)) > MAX_CACHED_BYTES) return
      await stores.transaction(async (tx) => {
        if (!(await tx.insightCache.save(cached, erasures))) return
        await tx.insightCache.prune(cached.projectId, cached.computedAt - CACHED_MS, MAX_CACHED_RESULTS)
      })
    },
  }
}

export function createCompute(parts: ComputeParts) {
  const { stores, clock } = parts
  const { events } = stores
  const resultCache = createResultCache(parts)
  const queue = createQueue()
  const running = new Map<string, Promise<ComputedInsight>>()

  async function planOf(project: Project, query: unknown, now: number): Promise<Plan> {
    const earliestAt = needsEarliest(query) ? await events.earliestEventAt(project.id) : null
    return readQuestion(query, { projectId: project.id, zone: project.timezone, now, earliestAt })
  }

  async function computeAnew(plan: Plan, entry: Entry, isBackground: boolean): Promise<ComputedInsight> {
    const { erasures, ...known } = entry
    const work = () => resultOf(events, plan)
    const result = await queue.run(entry.projectId, work, { isPatient: isBackground })
    await resultCache.keep({ ...known, result }, erasures)
    return { result, lastRefresh: entry.computedAt, isCached: false }
  }

  /** Joins a running computation of the same question. */
  function computeOnce(plan: Plan, entry: Entry, isBackground: boolean): Promise<ComputedInsight> {
    const id = `${entry.projectId}/${entry.key}/${entry.state}/${entry.erasures}`
    const known = running.get(id)
    if (known) return known
    const computing = computeAnew(plan, entry, isBackground).finally(() => running.delete(id))
    running.set(id, computing)
    return computing
  }

  async function computeQuery(
    project: Project,
    query: unknown,
    options: ComputeOptions = {},
  ): Promise<ComputedInsight> {
    const now = clock.now()
    const plan = await planOf(project, query, now)
    const key = questionKey(project, query)
    // Read before computing: an erasure meanwhile keeps the result from being cached, new data makes it stale.
    const erasures = await stores.insightCache.erasures(project.id)
    const state = questionState(plan, await events.dataVersion(project.id))
    if (options.refresh !== 'always') {
      const [kept] = await resultCache.find(project, [key], MAX_CACHED_BYTES)
      if (kept?.state === state) return fromCache(kept)
    }
    const entry = { projectId: project.id, key, state, computedAt: now, erasures }
    return computeOnce(plan, entry, options.isBackground ?? false)
  }

  /** `invalid` when the insight's query is not supported. */
  async function computeInsight(
    project: Project,
    insight: Pick<Insight, 'query'>,
    options: ComputeOptions = {},
  ): Promise<ComputedInsight> {
    return computeQuery(project, queryOf(insight, options.filters), options)
  }

  return {
    computeQuery,
    computeInsight,
    /**
     * The cached results of these queries, however old, in their order; null where there is none or it is larger than
     * `maxBytes`.
     */
    async kept(project: Project, queries: Query[], maxBytes = MAX_CACHED_BYTES): Promise<(ComputedInsight | null)[]> {
      const keys = queries.map((query) => questionKey(project, query))
      const found = await resultCache.find(project, [...new Set(keys)], maxBytes)
      const byKey = new Map(found.map((cached) => [cached.key, fromCache(cached)]))
      return keys.map((key) => byKey.get(key) ?? null)
    },
  }
}

export type Compute = ReturnType<typeof createCompute>

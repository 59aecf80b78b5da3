/** Results that were computed, kept so that they need not be computed again. Losing them costs time only. */
import type { InsightResult } from './insight-result.ts'

export interface CachedResult {
  projectId: number
  /** Of the question: the same question of a project has the same key, whenever it is asked. */
  key: string
  /** What the result rests on: its bounds in time and the version of the data. */
  state: string
  result: InsightResult
  computedAt: number
}

export interface InsightCacheReader {
  /** How often something was erased of the project; null when there is no such project. Only `clear` raises it. */
  erasures(projectId: number): Promise<number | null>
  /** Those of the keys that the project has, in no order; such as take more than `maxBytes` as JSON are left out. */
  find(projectId: number, keys: string[], maxBytes: number): Promise<CachedResult[]>
}

export interface InsightCacheWriter extends InsightCacheReader {
  /**
   * In place of what was under the key, unless that was computed later. False, and nothing is kept, when something was
   * erased of the project since its `erasures` were these, or when it is gone: the result may hold what was erased.
   */
  save(cached: CachedResult, erasures: number | null): Promise<boolean>
  /** Something is erased of the project: removes all its results, and those being computed are not kept. */
  clear(projectId: number): Promise<void>
  /** Removes the project's results computed before `before`, and of the others all but the latest `keep`. */
  prune(projectId: number, before: number, keep: number): Promise<void>
}

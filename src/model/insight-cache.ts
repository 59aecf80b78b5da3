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
  /** Those of the keys that the project has, in no order; such as take more than `maxBytes` as JSON are left out. */
  find(projectId: number, keys: string[], maxBytes: number): Promise<CachedResult[]>
}

export interface InsightCacheWriter extends InsightCacheReader {
  /** In place of what was under the key, unless that was computed later. */
  save(cached: CachedResult): Promise<void>
  /** Removes all results of the project, as when what they were computed from had to be forgotten. */
  clear(projectId: number): Promise<void>
  /** Removes the project's results computed before `before`, and of the others all but the latest `keep`. */
  prune(projectId: number, before: number, keep: number): Promise<void>
}

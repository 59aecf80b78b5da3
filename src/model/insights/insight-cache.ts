/** Cache of computed results. Losing them costs time only. */
import type { InsightResult } from './insight-result.ts'

export interface CachedResult {
  projectId: number
  /** Of the question: the same question of a project always has the same key. */
  key: string
  /** What the result depends on: its time range and the version of the data. */
  state: string
  result: InsightResult
  computedAt: number
}

export interface InsightCacheReader {
  /** How often data of the project was erased; null when there is no such project. Only `clear` increments it. */
  erasures(projectId: number): Promise<number | null>
  /** The project's results for these keys, in no order; those larger than `maxBytes` as JSON are left out. */
  find(projectId: number, keys: string[], maxBytes: number): Promise<CachedResult[]>
}

export interface InsightCacheWriter extends InsightCacheReader {
  /**
   * Replaces the result of the key, unless that was computed later. False, and nothing is stored, when `erasures` has
   * changed since, or the project is gone: the result may contain erased data.
   */
  save(cached: CachedResult, erasures: number | null): Promise<boolean>
  /** Data of the project is erased: removes all its results; those being computed will not be stored. */
  clear(projectId: number): Promise<void>
  /** Removes the project's results computed before `before`, and all others except the latest `keep`. */
  prune(projectId: number, before: number, keep: number): Promise<void>
}

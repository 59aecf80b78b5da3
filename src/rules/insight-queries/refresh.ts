/**
 * When a result is recomputed, with PostHog's parameter values. Nothing runs in the background: what PostHog would
 * compute asynchronously is computed before the response.
 */
import { invalid } from '../../lib/errors.ts'

/** `cached`: only a cached result, however old; `when_stale`: recompute if out of date; `always`: recompute. */
export type Refresh = 'cached' | 'when_stale' | 'always'

const WORDS: Record<string, Refresh> = {
  force_cache: 'cached',
  false: 'cached',
  '0': 'cached',
  blocking: 'when_stale',
  async: 'when_stale',
  lazy_async: 'when_stale',
  async_except_on_cache_miss: 'when_stale',
  true: 'when_stale',
  '1': 'when_stale',
  force_blocking: 'always',
  force_async: 'always',
}

export const REFRESH_DESCRIPTION =
  '`force_cache` or `false`: only what is kept, however old. `blocking`, `async`, `lazy_async` or `true`: what is kept, unless data or time have made it stale. `force_blocking` or `force_async`: anew. Results always come with the answer; nothing is computed afterwards.'

/** An empty value is the same as null or absent. */
export function readRefresh(value: unknown, otherwise: Refresh): Refresh {
  if (value === undefined || value === null || value === '') return otherwise
  const word = String(value).toLowerCase()
  const refresh = Object.hasOwn(WORDS, word) ? WORDS[word] : undefined
  if (refresh === undefined)
    throw invalid(`Must be one of: ${Object.keys(WORDS).join(', ')}.`, 'refresh', 'invalid_choice')
  return refresh
}

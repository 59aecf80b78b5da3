/**
 * Limits the size of a question's answer. Each factor of an answer has its own limit; this one is for their
 * product. It is computed from the question alone, before intervals are built or events are read.
 */
import { invalid } from '../../lib/errors.ts'
import { fullNumber } from '../../lib/text/human-format.ts'
import type { InsightResult } from '../../model/insights/insight-result.ts'
import { countIntervals, type Interval } from './calendar.ts'

/** Numbers in one answer. */
export const MAX_CELLS = 200_000
const MAX_INTERVALS = 5_000

const LOWER = {
  series: ['fewer series'],
  steps: ['fewer steps'],
  'breakdown values': ['a lower breakdown_limit'],
  intervals: ['a longer interval', 'a shorter date range'],
  ranges: ['no comparison'],
}

/** The factors of an answer's size. */
export type Factors = Partial<Record<keyof typeof LOWER, number>>

/** `attr`: the query. */
export function refuseTooManyCells(factors: Factors, attr: string): void {
  const counted = Object.entries(factors).filter(([, count]) => count !== 1) as [keyof typeof LOWER, number][]
  const cells = counted.reduce((product, [, count]) => product * count, 1)
  if (cells <= MAX_CELLS) return
  const product = counted.map(([name, count]) => `${fullNumber(count)} ${name}`).join(' × ')
  const ways = counted.flatMap(([name]) => LOWER[name])
  const advice = [ways.slice(0, -1).join(', '), ways.at(-1)].filter((text) => text !== '').join(' or ')
  throw invalid(
    `This asks for ${fullNumber(cells)} cells (${product}); at most ${fullNumber(MAX_CELLS)} are computed. Ask for ${advice}.`,
    attr,
  )
}

/** The number of intervals of a range in local time, which may be one more than really occur. */
export function countedIntervals({ from, to }: { from: number; to: number }, interval: Interval): number {
  const count = countIntervals(interval, from, to)
  if (count <= MAX_INTERVALS) return count
  throw invalid(
    `The range has ${fullNumber(count)} intervals; at most ${fullNumber(MAX_INTERVALS)} are computed. Take a longer interval or a shorter date range.`,
    'query',
  )
}

const sumOf = (counts: number[]): number => counts.reduce((sum, count) => sum + count, 0)

/** How many numbers a result has. */
export function cellsOf(result: InsightResult): number {
  switch (result.kind) {
    case 'TrendsQuery':
    case 'LifecycleQuery':
      return sumOf(result.rows.map(({ data }) => Math.max(1, data.length)))
    case 'FunnelsQuery':
      return result.rows.flat().length
    case 'RetentionQuery':
      return sumOf(result.rows.map(({ values }) => values.length))
  }
}

/**
 * Which interval an instant lies in, as SQL. Adjacent intervals of equal length are found by a division; where the
 * length changes (months, days on which the clock changes) a tree of comparisons selects the right division.
 */
import { type Run, runsOf } from '../../interval-runs.ts'
import { instant, int, microsOf } from '../values/literal.ts'

const within = ({ first, start, step }: Run, column: string): string =>
  `intDiv(${column} - (${instant(start)}), ${int(microsOf(step))}) + ${int(first)}`

function treeOf(runs: Run[], column: string): string {
  const [only] = runs
  if (!only) throw new Error('There must be at least two edges.')
  if (runs.length === 1) return within(only, column)
  const middle = runs.length >> 1
  const upper = runs.slice(middle)
  const border = instant(upper[0]?.start ?? 0)
  return `if(${column} < ${border}, ${treeOf(runs.slice(0, middle), column)}, ${treeOf(upper, column)})`
}

/** SQL of the interval, from 0, for an instant that lies between the first and the last edge. */
export const bucketSql = (edges: number[], column = 'ts'): string => `toInt64(${treeOf(runsOf(edges), column)})`

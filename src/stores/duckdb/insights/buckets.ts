/**
 * Which interval an instant lies in, as SQL. Adjacent intervals of equal length are found by a division; where the
 * length changes (months, days on which the clock changes) a tree of comparisons selects the right division.
 */
import { type Run, runsOf } from '../../interval-runs.ts'
import { double, instant } from '../values/literal.ts'

const within = ({ first, start, step }: Run, column: string): string =>
  `floor((${column} - ${instant(start)}) / ${double(step)})::INTEGER + ${first}`

function treeOf(runs: Run[], column: string): string {
  const [only] = runs
  if (!only) throw new Error('There must be at least two edges.')
  if (runs.length === 1) return within(only, column)
  const middle = runs.length >> 1
  const upper = runs.slice(middle)
  const border = instant(upper[0]?.start ?? 0)
  return `CASE WHEN ${column} < ${border} THEN ${treeOf(runs.slice(0, middle), column)}
    ELSE ${treeOf(upper, column)} END`
}

/** SQL of the interval, from 0, for an instant that lies between the first and the last edge. */
export const bucketSql = (edges: number[], column = 'ts'): string => treeOf(runsOf(edges), column)

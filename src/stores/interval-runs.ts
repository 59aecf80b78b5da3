/**
 * Which interval an instant lies in. Adjacent intervals of equal length are found by a division; where the length changes
 * (months, days on which the clock changes) a tree of comparisons selects the right division.
 */

/** Adjacent intervals of equal length. */
export interface Run {
  /** Which interval is the first of them. */
  first: number
  start: number
  step: number
}

function runsOf(edges: number[]): Run[] {
  const runs: Run[] = []
  for (let place = 0; place + 1 < edges.length; place++) {
    const start = edges[place] ?? 0
    const step = (edges[place + 1] ?? 0) - start
    if (runs.at(-1)?.step !== step) runs.push({ first: place, start, step })
  }
  return runs
}

/** How an engine says it. */
interface IntervalSql {
  /** The interval of an instant within these. */
  within(run: Run): string
  /** The first if the instant is before `border`, else the second. */
  choose(border: number, lower: string, upper: string): string
}

function treeOf(runs: Run[], sql: IntervalSql): string {
  const [only] = runs
  if (!only) throw new Error('There must be at least two edges.')
  if (runs.length === 1) return sql.within(only)
  const middle = runs.length >> 1
  const upper = runs.slice(middle)
  return sql.choose(upper[0]?.start ?? 0, treeOf(runs.slice(0, middle), sql), treeOf(upper, sql))
}

/** SQL of the interval, from 0, for an instant that lies between the first and the last edge. */
export const intervalSql = (edges: number[], sql: IntervalSql): string => treeOf(runsOf(edges), sql)

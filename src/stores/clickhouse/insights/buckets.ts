/** Which interval an instant lies in, as SQL (see ../../interval-runs.ts). */
import { intervalSql } from '../../interval-runs.ts'
import { instant, int, microsOf } from '../values/literal.ts'

/** SQL of the interval, from 0, for an instant that lies between the first and the last edge. */
export function bucketSql(edges: number[], column = 'ts'): string {
  const interval = intervalSql(edges, {
    within: ({ first, start, step }) =>
      `intDiv(${column} - (${instant(start)}), ${int(microsOf(step))}) + ${int(first)}`,
    choose: (border, lower, upper) => `if(${column} < ${instant(border)}, ${lower}, ${upper})`,
  })
  return `toInt64(${interval})`
}

/** Which interval an instant lies in, as SQL (see ../../interval-runs.ts). */
import { intervalSql } from '../../interval-runs.ts'
import { double, instant } from '../values/literal.ts'

/** SQL of the interval, from 0, for an instant that lies between the first and the last edge. */
export const bucketSql = (edges: number[], column = 'ts'): string =>
  intervalSql(edges, {
    within: ({ first, start, step }) => `floor((${column} - ${instant(start)}) / ${double(step)})::INTEGER + ${first}`,
    choose: (border, lower, upper) => `CASE WHEN ${column} < ${instant(border)} THEN ${lower} ELSE ${upper} END`,
  })

/**
 * Retention: which actors began in which interval, and in which later ones they returned. Events of both kinds are read
 * once and become two lists of intervals for each actor.
 */
import type { RetentionQuestion } from '../../../model/insights/insight-question.ts'
import { type RetentionCount, retentionAnswer } from '../../insight-answers.ts'
import type { Reading } from '../parts.ts'
import { instant } from '../values/literal.ts'
import { bucketSql } from './buckets.ts'
import { eventsOfAny, hasBit, WHO } from './matching-events.ts'

/** Places of the selectors. */
const TARGET = 0
const RETURNING = 1

/** SQL of the intervals in which each actor began, before the first one -1, and of those in which it returned. */
async function actorsSql(reading: Reading, question: RetentionQuestion): Promise<string> {
  const { projectId, target, returning, edges, firstTime } = question
  const [begin, to] = [edges[0] ?? 0, edges.at(-1) ?? 0]
  const { from, matches } = await eventsOfAny(reading, {
    projectId,
    selectors: [target, { ...returning, since: begin }],
    from: firstTime ? Number.NEGATIVE_INFINITY : begin,
    to,
  })
  const place = firstTime ? `if(ts >= ${instant(begin)}, ${bucketSql(edges)}, -1)` : bucketSql(edges)
  const which = `(${place} AS bucket), ${hasBit(matches, TARGET)}`
  const begun = firstTime ? `[minIf(${which})]` : `groupUniqArrayIf(${which})`
  return `SELECT ${WHO}, ${begun} AS begun,
      groupUniqArrayIf(bucket, ${hasBit('matches', RETURNING)}) AS seen
    ${from} GROUP BY who HAVING ${hasBit('groupBitOr(matches)', TARGET)}`
}

export async function retention(reading: Reading, question: RetentionQuestion): Promise<number[][]> {
  const actors = await actorsSql(reading, question)
  const after = 'arrayPushFront(arrayFilter(after -> after > 0, arrayMap(back -> back - cohort, seen)), toInt64(0))'
  const rows = await reading.rows(`SELECT cohort, later, count() FROM (
      SELECT cohort, arrayJoin(${after}) AS later FROM (
        SELECT cohort, seen FROM (${actors}) ARRAY JOIN begun AS cohort)
      WHERE cohort >= 0)
    GROUP BY cohort, later`)
  const counts = rows.map((row) => row.map(Number) as RetentionCount)
  return retentionAnswer(counts, question.edges.length - 1)
}

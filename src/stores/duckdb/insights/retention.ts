/**
 * Retention: which actors began in which interval, and in which later ones they returned. Events of both kinds are read
 * once and become one row for each actor and interval.
 */
import type { RetentionQuestion } from '../../../model/insights/insight-question.ts'
import { type RetentionCount, retentionAnswer } from '../../insight-answers.ts'
import type { Parts } from '../progress.ts'
import { instant } from '../values/literal.ts'
import { bucketSql } from './buckets.ts'
import { eventsOfAny } from './matching-events.ts'
import { type QuestionStatement, runQuestion } from './statement.ts'

/** Bits of the selectors, in their order. */
const TARGET = 1
const RETURNING = 2

/** Defines `cohort`, the intervals in which each actor began, -1 for earlier, and `seen`, those in which it returned. */
async function defineSeen(statement: QuestionStatement, question: RetentionQuestion): Promise<void> {
  const { target, returning, edges, firstTime } = question
  const [begin, to] = [edges[0] ?? 0, edges.at(-1) ?? 0]
  const found = await eventsOfAny(statement, {
    selectors: [target, { ...returning, since: begin }],
    from: firstTime ? Number.NEGATIVE_INFINITY : begin,
    to,
    columns: `CASE WHEN ts >= ${instant(begin)} THEN ${bucketSql(edges)} ELSE -1 END AS bucket`,
  })
  statement.define('moment', found, firstTime)
  const seen = firstTime ? `moment WHERE matches & ${RETURNING} <> 0` : 'moment'
  statement.define('seen', `SELECT actor, bucket, bit_or(matches) AS did FROM ${seen} GROUP BY actor, bucket`, true)
  statement.define(
    'cohort',
    firstTime
      ? `SELECT actor, min(bucket) AS bucket FROM moment WHERE matches & ${TARGET} <> 0 GROUP BY actor`
      : `SELECT actor, bucket FROM seen WHERE did & ${TARGET} <> 0`,
    firstTime,
  )
}

export const retention = (parts: Parts, question: RetentionQuestion): Promise<number[][]> =>
  runQuestion(parts, question.projectId, async (statement) => {
    await defineSeen(statement, question)
    const rows = await statement.rows(`SELECT bucket, 0, count(*) FROM cohort WHERE bucket >= 0 GROUP BY bucket
      UNION ALL SELECT cohort.bucket, seen.bucket - cohort.bucket, count(*) FROM cohort JOIN seen USING (actor)
        WHERE cohort.bucket >= 0 AND seen.bucket > cohort.bucket AND did & ${RETURNING} <> 0
        GROUP BY cohort.bucket, seen.bucket`)
    const counts = rows.map((row) => row.map(Number) as RetentionCount)
    return retentionAnswer(counts, question.edges.length - 1)
  })

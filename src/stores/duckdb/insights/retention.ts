/** Retention: which actors began in which interval, and in which later ones they returned. */
import type { EventSelector, RetentionQuestion } from '../../../model/insights/insight-question.ts'
import type { Parts } from '../progress.ts'
import { instant } from '../values/literal.ts'
import { bucketSql } from './buckets.ts'
import { matchingEvents } from './matching-events.ts'
import { type QuestionStatement, runQuestion } from './statement.ts'

/** SQL of the actors and the intervals in which they have such events. */
async function presence(statement: QuestionStatement, selector: EventSelector, edges: number[]): Promise<string> {
  const columns = `${bucketSql(edges)} AS bucket`
  const [from, to] = [edges[0] ?? 0, edges.at(-1) ?? 0]
  return `SELECT DISTINCT actor, bucket FROM (${await matchingEvents(statement, { selector, from, to, columns, actors: 'text' })})`
}

/** SQL of the actors whose first such event ever lies in an interval, and of that interval. */
async function firstPresence(statement: QuestionStatement, selector: EventSelector, edges: number[]): Promise<string> {
  const [from, to] = [Number.NEGATIVE_INFINITY, edges.at(-1) ?? 0]
  const found = await matchingEvents(statement, { selector, from, to, columns: 'ts', actors: 'text' })
  return `SELECT actor, ${bucketSql(edges)} AS bucket FROM (SELECT actor, min(ts) AS ts FROM (${found}) GROUP BY actor)
    WHERE ts >= ${instant(edges[0] ?? 0)}`
}

export const retention = (parts: Parts, question: RetentionQuestion): Promise<number[][]> =>
  runQuestion(parts, question.projectId, async (statement) => {
    const { target, returning, edges, firstTime } = question
    const begun = firstTime ? firstPresence : presence
    statement.define('cohort', await begun(statement, target, edges), true)
    statement.define('back', await presence(statement, returning, edges), true)
    const rows = await statement.rows(`SELECT bucket, 0, count(*) FROM cohort GROUP BY bucket
      UNION ALL SELECT cohort.bucket, back.bucket - cohort.bucket, count(*)
        FROM cohort JOIN back USING (actor) WHERE back.bucket > cohort.bucket GROUP BY cohort.bucket, back.bucket`)
    const intervals = edges.length - 1
    const counts = Array.from({ length: intervals }, (_, begun) => new Array<number>(intervals - begun).fill(0))
    for (const [place, later, count] of rows as [number, number, bigint][]) {
      const row = counts[place]
      if (row) row[later] = Number(count)
    }
    return counts
  })

/**
 * Lifecycle: compares each interval's actors with those of the interval before. A person begins when it was created, or
 * with its first event here if that is older; a distinct id without a person begins with its first event of any kind.
 */
import type { LifecycleAnswer, LifecycleQuestion } from '../../../model/insights/insight-question.ts'
import type { Parts } from '../progress.ts'
import { instant, int } from '../values/literal.ts'
import { bucketSql } from './buckets.ts'
import { matchingEvents } from './matching-events.ts'
import { type QuestionStatement, runQuestion } from './statement.ts'

/** Defines `born`: when each actor of `seen` began. */
function defineBirths(statement: QuestionStatement): void {
  const { project } = statement
  const made = ['persons', 'fresh_persons'].map(
    (table) => `SELECT person_id, seq, created_at FROM ${table} WHERE ${project}`,
  )
  statement.define(
    'born',
    `SELECT actor, min(since) AS since FROM (
      SELECT 'p' || person_id AS actor, arg_max(created_at, seq) AS since FROM (${made.join(' UNION ALL ')}) GROUP BY person_id
      UNION ALL SELECT 'd' || distinct_id, min(ts) FROM events
        WHERE ${project} AND distinct_id IN (SELECT substr(actor, 2) FROM seen WHERE actor LIKE 'd%') GROUP BY distinct_id
      UNION ALL SELECT actor, min(first_at) FROM seen GROUP BY actor)
      WHERE actor IN (SELECT actor FROM seen) GROUP BY actor`,
  )
}

type Status = keyof LifecycleAnswer

export const lifecycle = (parts: Parts, question: LifecycleQuestion): Promise<LifecycleAnswer> =>
  runQuestion(parts, question.projectId, async (statement) => {
    const { selector, edges } = question
    const [from, to] = [edges[0] ?? 0, edges.at(-1) ?? 0]
    const columns = `${bucketSql(edges)} AS bucket, ts`
    const found = await matchingEvents(statement, { selector, from, to, columns, actors: 'text' })
    statement.define('seen', `SELECT actor, bucket, min(ts) AS first_at FROM (${found}) GROUP BY actor, bucket`, true)
    defineBirths(statement)
    const bornIn = `CASE WHEN since < ${instant(from)} THEN -1 ELSE ${bucketSql(edges, 'since')} END`
    const before = 'lag(bucket) OVER (PARTITION BY actor ORDER BY bucket)'
    const after = 'lead(bucket) OVER (PARTITION BY actor ORDER BY bucket)'
    statement.define(
      'step',
      `SELECT bucket, ${before} AS before, ${after} AS after, ${bornIn} AS born FROM seen JOIN born USING (actor)`,
      true,
    )
    const status = `CASE WHEN born = bucket THEN 'fresh' WHEN before = bucket - 1 THEN 'returning' ELSE 'resurrecting' END`
    const rows = await statement.rows(`SELECT bucket, ${status}, count(*) FROM step GROUP BY ALL
      UNION ALL SELECT bucket + 1, 'dormant', count(*) FROM step
        WHERE after IS DISTINCT FROM bucket + 1 AND bucket + 1 < ${int(edges.length - 1)} GROUP BY bucket`)
    const none = () => new Array<number>(edges.length - 2).fill(0)
    const answer: LifecycleAnswer = { fresh: none(), returning: none(), resurrecting: none(), dormant: none() }
    for (const [bucket, name, count] of rows as [number, Status, bigint][]) {
      if (bucket > 0) answer[name][bucket - 1] = Number(count)
    }
    return answer
  })

/**
 * Lifecycle: compares each interval's actors with those of the interval before. A person begins when it was created, or
 * with its first event here if that is older; a distinct id without a person begins with its first event of any kind.
 * So nobody is new in a later interval than the first one here, and one row for each actor tells who is.
 */
import type { LifecycleAnswer, LifecycleQuestion } from '../../../model/insights/insight-question.ts'
import { type LifecycleCounts, lifecycleAnswer, noCounts } from '../../insight-answers.ts'
import { idHashSql } from '../actors/id-hash-sql.ts'
import type { Parts } from '../progress.ts'
import { instant } from '../values/literal.ts'
import { bucketSql } from './buckets.ts'
import { eventsOfAny } from './matching-events.ts'
import { type QuestionStatement, runQuestion } from './statement.ts'

/** Defines `seen`: the intervals of each actor, and its first event in each. */
async function defineSeen(statement: QuestionStatement, { selector, edges }: LifecycleQuestion): Promise<void> {
  const [from, to] = [edges[0] ?? 0, edges.at(-1) ?? 0]
  const columns = `${bucketSql(edges)} AS bucket, ts`
  const found = await eventsOfAny(statement, { selectors: [selector], from, to, columns })
  statement.define('seen', `SELECT actor, bucket, min(ts) AS first_at FROM (${found}) GROUP BY actor, bucket`, true)
}

/** Defines `born`: the interval in which each actor of `seen` began, -1 for before, and the first one it is in. */
function defineBirths(statement: QuestionStatement, { edges }: LifecycleQuestion): void {
  const { project, hasUnfilledActors } = statement
  const hash = hasUnfilledActors ? `coalesce(id_hash, ${idHashSql('events')})` : 'id_hash'
  const [from, to] = [edges[0] ?? 0, edges.at(-1) ?? 0]
  const made = ['persons', 'fresh_persons'].map(
    (table) => `SELECT person_id, seq, created_at FROM ${table} WHERE ${project}`,
  )
  statement.define(
    'arrival',
    'SELECT actor, min(bucket) AS bucket, min(first_at) AS since FROM seen GROUP BY actor',
    true,
  )
  statement.define(
    'earlier',
    `SELECT person_id AS actor, arg_max(created_at, seq) AS since FROM (${made.join(' UNION ALL ')})
        WHERE person_id IN (SELECT actor FROM arrival) GROUP BY person_id
      UNION ALL SELECT ${hash} AS actor, min(ts) FROM events
        WHERE ${project} AND ts < ${instant(to)} AND ${hash} IN (SELECT actor FROM arrival WHERE actor < 0)
        GROUP BY ${hash}`,
  )
  const since = 'least(arrival.since, earlier.since)'
  const born = `CASE WHEN ${since} < ${instant(from)} THEN -1 ELSE ${bucketSql(edges, since)} END`
  statement.define('born', `SELECT bucket, ${born} AS born FROM arrival LEFT JOIN earlier USING (actor)`)
}

export const lifecycle = (parts: Parts, question: LifecycleQuestion): Promise<LifecycleAnswer> =>
  runQuestion(parts, question.projectId, async (statement) => {
    await defineSeen(statement, question)
    defineBirths(statement, question)
    const rows = await statement.rows(`SELECT 'here', bucket, count(*) FROM seen GROUP BY bucket
      UNION ALL SELECT 'again', later.bucket, count(*) FROM seen AS later
        JOIN seen AS before ON later.actor = before.actor AND later.bucket = before.bucket + 1 GROUP BY later.bucket
      UNION ALL SELECT 'fresh', bucket, count(*) FROM born WHERE born = bucket GROUP BY bucket`)
    const counts = noCounts(question.edges.length - 1)
    for (const [name, bucket, count] of rows as [keyof LifecycleCounts, number, bigint][])
      counts[name][bucket] = Number(count)
    return lifecycleAnswer(counts)
  })

/**
 * Lifecycle: compares each interval's actors with those of the interval before. A person begins when it was created, or
 * with its first event here if that is older; a distinct id without a person begins with its first event of any kind.
 * So nobody is new in a later interval than the first one here.
 */
import type { LifecycleAnswer, LifecycleQuestion } from '../../../model/insights/insight-question.ts'
import { lifecycleAnswer, noCounts } from '../../insight-answers.ts'
import type { Reading } from '../parts.ts'
import { instant, int } from '../values/literal.ts'
import { bucketSql } from './buckets.ts'
import { matchingEvents, WHO } from './matching-events.ts'

/** SQL of `who`, and `made`: when each person was created, and each of these ids, which are nobody's, had its first event. */
const birthsSql = (projectId: number, to: number, ids: string): string =>
  `SELECT person_id AS who, argMax(created_at, seq) AS made, 1 AS known FROM persons
    WHERE project_id = ${int(projectId)} GROUP BY person_id
  UNION ALL SELECT id_hash AS who, min(ts) AS made, 1 AS known FROM moments
    WHERE project_id = ${int(projectId)} AND ts < ${instant(to)} AND id_hash GLOBAL IN (${ids}) GROUP BY id_hash`

export async function lifecycle(reading: Reading, question: LifecycleQuestion): Promise<LifecycleAnswer> {
  const { projectId, selector, edges } = question
  const [from, to] = [edges[0] ?? 0, edges.at(-1) ?? 0]
  const found = await matchingEvents(reading, { projectId, selector, from, to, withActors: true })
  const seen = `SELECT ${WHO}, groupUniqArray(${bucketSql(edges)}) AS buckets, min(ts) AS first_at ${found} GROUP BY who`
  // Only a distinct id's number is negative.
  const ids = `SELECT who FROM (SELECT ${WHO} ${found} GROUP BY who) WHERE who < 0`
  const since = `SELECT arraySort(buckets) AS sorted, if(known = 1, least(first_at, made), first_at) AS since
    FROM (${seen}) AS seen GLOBAL ANY LEFT JOIN (${birthsSql(projectId, to, ids)}) AS births USING (who)`
  // The list of each actor is not repeated for each of its intervals: how far each is from the one before tells enough.
  const rows = await reading.rows(`SELECT bucket, count(), countIf(step = 1), countIf(born = bucket) FROM (
      SELECT sorted, arrayDifference(sorted) AS steps,
        if(since < ${instant(from)}, toInt64(-1), ${bucketSql(edges, 'since')}) AS born FROM (${since}))
    ARRAY JOIN sorted AS bucket, steps AS step GROUP BY bucket`)
  const counts = noCounts(edges.length - 1)
  for (const row of rows) {
    const [bucket, here, again, fresh] = row.map(Number) as [number, number, number, number]
    counts.here[bucket] = here
    counts.again[bucket] = again
    counts.fresh[bucket] = fresh
  }
  return lifecycleAnswer(counts)
}

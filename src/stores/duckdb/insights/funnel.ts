/**
 * Funnels. Every event that is a step gets its number among its actor's events; from each first step the next one is
 * the earliest with a higher number, and so on, as long as the window lasts. Taking the earliest each time gets
 * furthest.
 */
import type { DuckDBValue } from '@duckdb/node-api'
import { rounded } from '../../../lib/numbers/sums.ts'
import type {
  BreakdownValue,
  FunnelAnswer,
  FunnelQuestion,
  FunnelStepAnswer,
} from '../../../model/insights/insight-question.ts'
import type { Parts } from '../progress.ts'
import { double, int } from '../values/literal.ts'
import { matchingEvents } from './matching-events.ts'
import { type QuestionStatement, runQuestion } from './statement.ts'

/** Defines `step_event`: actor, time, number and step of every event that matches a step. */
async function defineSteps(
  statement: QuestionStatement,
  { steps, from, to, breakdown }: FunnelQuestion,
): Promise<void> {
  const sides: string[] = []
  for (const [place, selector] of steps.entries()) {
    const columns = 'ts, seq, ord'
    const found = await matchingEvents(statement, { selector, from, to, columns, breakdown, actors: 'text' })
    const value = breakdown ? 'breakdown' : 'NULL::VARCHAR'
    sides.push(`SELECT actor, ts, seq, ord, ${place} AS step, ${value} AS breakdown FROM (${found})`)
  }
  // An event that matches two steps has one number, so that it cannot be both of one attempt.
  statement.define(
    'step_event',
    `SELECT actor, ts, step, breakdown, dense_rank() OVER (PARTITION BY actor ORDER BY ts, seq, ord) AS n
      FROM (${sides.join(' UNION ALL ')})`,
    true,
  )
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, place) => place)

/**
 * Defines `attempt_0`, `attempt_1`, …: the attempts that reached at least this step, where t0, t1, … are the times of
 * the steps. An attempt that missed a step is in none of the later ones: a NULL key of an ASOF join finds a partner
 * when the engine chooses another join algorithm, which depends on the number of rows.
 */
function defineAttempts(statement: QuestionStatement, { steps, windowMs }: FunnelQuestion): void {
  statement.define('attempt_0', 'SELECT actor, n AS n0, n, ts AS t0 FROM step_event WHERE step = 0', true)
  for (let place = 1; place < steps.length; place++) {
    const times = upTo(place).map((step) => `t${step}`)
    statement.define(
      `attempt_${place}`,
      `SELECT * FROM (
        SELECT attempt.actor, n0, next.n, ${times.join(', ')}, next.ts AS t${place}
        FROM attempt_${place - 1} AS attempt
        ASOF JOIN (SELECT actor, n, ts FROM step_event WHERE step = ${place}) AS next
          ON attempt.actor = next.actor AND attempt.n < next.n)
        WHERE t${place} <= t0 + ${double(windowMs)}`,
      true,
    )
  }
}

/** Defines `best`: how many steps each actor made and the time each took. */
function defineBest(statement: QuestionStatement, steps: number): void {
  const sides = upTo(steps).map((last) => {
    const taken = upTo(steps).map((place) => {
      if (place === 0) return `'d0': 0::DOUBLE`
      return `'d${place}': ${place > last ? 'NULL::DOUBLE' : `t${place} - t${place - 1}`}`
    })
    return `SELECT actor, n0::BIGINT AS n0, ${last + 1} AS reached, {${taken.join(', ')}} AS taken FROM attempt_${last}`
  })
  statement.define(
    'best',
    `SELECT actor, max(reached) AS reached, arg_max(taken, ROW(reached, -n0)) AS taken
      FROM (${sides.join(' UNION ALL ')}) GROUP BY actor`,
    true,
  )
}

function defineSlots(statement: QuestionStatement, limit: number | null): void {
  if (limit === null) {
    statement.define('slotted', `SELECT *, 0 AS kind, 0 AS place, '' AS text FROM best`)
    return
  }
  statement.define(
    'valued',
    `SELECT best.*, value FROM best JOIN (
      SELECT actor, arg_min(breakdown, n) FILTER (breakdown IS NOT NULL) AS value FROM step_event GROUP BY actor)
      USING (actor)`,
    true,
  )
  statement.define(
    'top',
    `SELECT value, row_number() OVER (ORDER BY count(*) DESC, value) AS place FROM valued
      WHERE value IS NOT NULL GROUP BY value ORDER BY place LIMIT ${int(limit)}`,
  )
  const kind = 'CASE WHEN place IS NOT NULL THEN 0 WHEN value IS NULL THEN 1 ELSE 2 END'
  statement.define(
    'slotted',
    `SELECT valued.*, ${kind} AS kind, place, CASE WHEN place IS NOT NULL THEN value ELSE '' END AS text
      FROM valued LEFT JOIN top USING (value)`,
  )
}

function breakdownOf(kind: number, text: string): BreakdownValue {
  if (kind === 0) return { kind: 'value', text }
  return { kind: kind === 1 ? 'none' : 'other' }
}

function readSteps(figures: DuckDBValue[], steps: number): FunnelStepAnswer[] {
  return Array.from({ length: steps }, (_, place) => {
    const [count, average, middle] = figures.slice(place * 3, place * 3 + 3) as [bigint, number | null, number | null]
    return {
      count: Number(count),
      averageMs: place === 0 || average === null ? null : rounded(average),
      medianMs: place === 0 ? null : middle,
    }
  })
}

const NO_ACTORS: FunnelStepAnswer = { count: 0, averageMs: null, medianMs: null }

export const funnel = (parts: Parts, question: FunnelQuestion): Promise<FunnelAnswer[]> =>
  runQuestion(parts, question.projectId, async (statement) => {
    const { breakdown } = question
    const steps = question.steps.length
    await defineSteps(statement, question)
    defineAttempts(statement, question)
    defineBest(statement, steps)
    defineSlots(statement, breakdown?.limit ?? null)
    const figures = question.steps.map((_, place) => {
      const came = `FILTER (reached > ${place})`
      const taken = `taken.d${place}`
      return `count(*) ${came}, favg(${taken}) ${came}, quantile_cont(${taken}, 0.5) ${came}`
    })
    const rows = await statement.rows(`SELECT kind, text, ${figures.join(', ')} FROM slotted
      GROUP BY kind, place, text ORDER BY kind, place`)
    if (!breakdown && rows.length === 0) return [{ breakdown: null, steps: new Array(steps).fill(NO_ACTORS) }]
    return rows.map(([kind, text, ...rest]) => ({
      breakdown: breakdown ? breakdownOf(kind as number, text as string) : null,
      steps: readSteps(rest, steps),
    }))
  })

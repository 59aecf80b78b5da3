/**
 * Funnels. The events that match any step are read once, each with the steps it matches. Whoever has no second step is
 * counted from that alone. The events of all others are numbered in order, for each actor; from each first step the next
 * one is the earliest with a higher number, and so on, as long as the window lasts. Taking the earliest each time gets
 * furthest.
 */
import type { DuckDBValue } from '@duckdb/node-api'
import { rounded } from '../../../lib/numbers/sums.ts'
import type { FunnelAnswer, FunnelQuestion, FunnelStepAnswer } from '../../../model/insights/insight-question.ts'
import { breakdownOf, NO_ACTORS } from '../../insight-answers.ts'
import type { Parts } from '../progress.ts'
import { double, int } from '../values/literal.ts'
import { eventsOfAny } from './matching-events.ts'
import { type QuestionStatement, runQuestion } from './statement.ts'

/** Defines `step_event`: actor, time and steps of every event that matches a step, a bit for each. */
async function defineSteps(statement: QuestionStatement, question: FunnelQuestion): Promise<void> {
  const { steps: selectors, from, to, breakdown } = question
  const columns = 'ts, seq, ord'
  statement.define('step_event', await eventsOfAny(statement, { selectors, from, to, columns, breakdown }), true)
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, place) => place)
const isStep = (place: number): string => `matches & ${int(2 ** place)} <> 0`

/** Defines `beginner`: the actors with a first step, whether they have a second, and their breakdown value. */
function defineBeginners(statement: QuestionStatement, { breakdown }: FunnelQuestion): void {
  const value = breakdown ? 'arg_min(breakdown, ROW(ts, seq, ord)) FILTER (breakdown IS NOT NULL)' : 'NULL::VARCHAR'
  statement.define(
    'beginner',
    `SELECT actor, bool_or(${isStep(1)}) AS goes_on, ${value} AS value FROM step_event
      GROUP BY actor HAVING bool_or(${isStep(0)})`,
    true,
  )
  // An event that matches two steps has one number, so that it cannot be both of one attempt.
  statement.define(
    'numbered',
    `SELECT actor, ts, matches, row_number() OVER (PARTITION BY actor ORDER BY ts, seq, ord) AS n FROM step_event
      WHERE actor IN (SELECT actor FROM beginner WHERE goes_on)`,
    true,
  )
}

/**
 * Defines `attempt_0`, `attempt_1`, …: the attempts that reached at least this step, where t0, t1, … are the times of
 * the steps. An attempt that missed a step is in none of the later ones: a NULL key of an ASOF join finds a partner
 * when the engine chooses another join algorithm, which depends on the number of rows.
 */
function defineAttempts(statement: QuestionStatement, { steps, windowMs }: FunnelQuestion): void {
  statement.define('attempt_0', `SELECT actor, n AS n0, n, ts AS t0 FROM numbered WHERE ${isStep(0)}`)
  for (let place = 1; place < steps.length; place++) {
    const times = upTo(place).map((step) => `t${step}`)
    statement.define(
      `attempt_${place}`,
      `SELECT * FROM (
        SELECT attempt.actor, n0, next.n, ${times.join(', ')}, next.ts AS t${place}
        FROM attempt_${place - 1} AS attempt
        ASOF JOIN (SELECT actor, n, ts FROM numbered WHERE ${isStep(place)}) AS next
          ON attempt.actor = next.actor AND attempt.n < next.n)
        WHERE t${place} <= t0 + ${double(windowMs)}`,
      true,
    )
  }
}

/** Defines `best`: how many steps each beginner made, and the time each took. */
function defineBest(statement: QuestionStatement, steps: number): void {
  const sides = upTo(steps)
    .slice(1)
    .map((last) => {
      const taken = upTo(steps).map(
        (place) => `'d${place}': ${place === 0 || place > last ? 'NULL::DOUBLE' : `t${place} - t${place - 1}`}`,
      )
      return `SELECT actor, n0, ${last + 1} AS reached, {${taken.join(', ')}} AS taken FROM attempt_${last}`
    })
  if (sides.length === 0) {
    statement.define('best', 'SELECT value FROM beginner')
    return
  }
  statement.define(
    'furthest',
    `SELECT actor, max(reached) AS reached, arg_max(taken, {'reached': reached, 'n': -n0}) AS taken
      FROM (${sides.join(' UNION ALL ')}) GROUP BY actor`,
  )
  statement.define(
    'best',
    'SELECT value, coalesce(reached, 1) AS reached, taken FROM beginner LEFT JOIN furthest USING (actor)',
    true,
  )
}

function defineSlots(statement: QuestionStatement, limit: number | null): void {
  if (limit === null) {
    statement.define('slotted', `SELECT *, 0 AS kind, 0 AS place, '' AS text FROM best`)
    return
  }
  statement.define(
    'top',
    `SELECT value, row_number() OVER (ORDER BY count(*) DESC, value) AS place FROM best
      WHERE value IS NOT NULL GROUP BY value ORDER BY place LIMIT ${int(limit)}`,
  )
  const kind = 'CASE WHEN place IS NOT NULL THEN 0 WHEN value IS NULL THEN 1 ELSE 2 END'
  statement.define(
    'slotted',
    `SELECT best.*, ${kind} AS kind, place, CASE WHEN place IS NOT NULL THEN value ELSE '' END AS text
      FROM best LEFT JOIN top USING (value)`,
  )
}

function readSteps(figures: DuckDBValue[], steps: number): FunnelStepAnswer[] {
  return Array.from({ length: steps }, (_, place) => {
    const [count, average, middle] = figures.slice(place * 3, place * 3 + 3) as [bigint, number | null, number | null]
    return { count: Number(count), averageMs: average === null ? null : rounded(average), medianMs: middle }
  })
}

export const funnel = (parts: Parts, question: FunnelQuestion): Promise<FunnelAnswer[]> =>
  runQuestion(parts, question.projectId, async (statement) => {
    const { breakdown } = question
    const steps = question.steps.length
    await defineSteps(statement, question)
    defineBeginners(statement, question)
    defineAttempts(statement, question)
    defineBest(statement, steps)
    defineSlots(statement, breakdown?.limit ?? null)
    const figures = question.steps.map((_, place) => {
      if (place === 0) return 'count(*), NULL, NULL'
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

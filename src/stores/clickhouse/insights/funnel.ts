/**
 * Funnels. The events that match any step are read once, each with the steps it matches, and become one sorted list for each
 * actor with a first step. Whoever has no second step is counted from that alone.
 */
import { rounded } from '../../../lib/numbers/sums.ts'
import type { FunnelAnswer, FunnelQuestion, FunnelStepAnswer } from '../../../model/insights/insight-question.ts'
import { NO_ACTORS } from '../../insight-answers.ts'
import type { Reading } from '../parts.ts'
import { breakdownText } from '../properties/property-sql.ts'
import { int } from '../values/literal.ts'
import { lineSql, readLines } from './breakdown-lines.ts'
import { attemptsSql } from './funnel-attempts.ts'
import { eventsOfAny, type FoundEvents, hasBit, WHO } from './matching-events.ts'
import { withPersonText } from './people-facts.ts'

interface Column {
  name: string
  /** SQL of an aggregate of an actor's events. */
  of: string
}

/** SQL of the actors with a first step: these columns, and `slot` where there is a breakdown. */
function beginnersSql(reading: Reading, found: FoundEvents, question: FunnelQuestion, columns: Column[]): string {
  const { breakdown, projectId } = question
  const select = [WHO, ...columns.map(({ name, of }) => `${of} AS ${name}`)]
  if (breakdown?.of === 'event') {
    const text = breakdownText(breakdown.key, reading.columns.events)
    select.push(`argMinIf(${text}, (ts, seq, place), ${text} != '') AS slot`)
  }
  const rows = `SELECT ${select.join(', ')} ${found.from}
    GROUP BY who HAVING ${hasBit(`groupBitOr(${found.matches})`, 0)}`
  if (breakdown?.of !== 'person') return rows
  const names = columns.map(({ name }) => name)
  return `SELECT ${[...names, 'person_text AS slot'].join(', ')}
    FROM ${withPersonText(reading, rows, projectId, breakdown.key)}`
}

const MATCH_BITS = 32

const LISTS: Column[] = [
  { name: 'all_times', of: 'groupArray(ts)' },
  { name: 'all_seqs', of: 'groupArray(seq)' },
  // In one number, as a list takes longer than what is in it: `place` and `matches` are of 32 bits.
  { name: 'all_places', of: `groupArray(bitOr(bitShiftLeft(toUInt64(place), ${MATCH_BITS}), matches))` },
  { name: 'goes_on', of: hasBit('groupBitOr(matches)', 1) },
]

/** SQL of `times` and `found` of the beginners, in order; both are empty where there is no second step. */
function sortedSql(reading: Reading, found: FoundEvents, question: FunnelQuestion, kept: string[]): string {
  const lists = LISTS.slice(0, 3).map(({ name }) => `arraySlice(${name}, 1, if(goes_on, length(all_times), 0))`)
  const sorted = `SELECT ${[...kept, `arraySort(arrayMap((a, b, c) -> (a, b, c), ${lists.join(', ')})) AS sorted`].join(', ')}
    FROM (${beginnersSql(reading, found, question, LISTS)})`
  return `SELECT ${[...kept, 'arrayMap(one -> one.1, sorted) AS times', 'arrayMap(one -> toUInt32(one.3), sorted) AS found'].join(', ')}
    FROM (${sorted})`
}

/** Times are added up in two halves, as integers: those of millions of people are too long for one. */
const HALF = 2 ** 30
const FIGURES = 5

/** SQL of a step's figures: the count, the sum of times in halves, and the two times in the middle, one negated. */
function figuresOf(step: number): string[] {
  const taken = `(best[${step + 1}] - best[${step}])`
  const came = `reached > ${step}`
  return [
    `countIf(${came})`,
    `sumIf(intDiv(${taken}, ${int(HALF)}), ${came})`,
    `sumIf(${taken} % ${int(HALF)}, ${came})`,
    `quantileExactIf(0.5)(${taken}, ${came})`,
    `quantileExactIf(0.5)(-${taken}, ${came})`,
  ]
}

const MICROS = 1_000

function readStep(figures: unknown[]): FunnelStepAnswer {
  const [count, upper, lower] = figures.slice(0, 3).map((figure) => BigInt(figure as string)) as [
    bigint,
    bigint,
    bigint,
  ]
  if (count === 0n) return NO_ACTORS
  const sum = Number(upper * BigInt(HALF) + lower)
  const [above, below] = [Number(figures[3]), -Number(figures[4])]
  return {
    count: Number(count),
    averageMs: rounded(sum / Number(count) / MICROS),
    medianMs: (above + below) / 2 / MICROS,
  }
}

/** Of the figures of all steps but the first, of which there is the count. */
const readSteps = ([count, ...figures]: unknown[], steps: number): FunnelStepAnswer[] => [
  { count: Number(count), averageMs: null, medianMs: null },
  ...Array.from({ length: steps - 1 }, (_, place) => readStep(figures.slice(place * FIGURES, (place + 1) * FIGURES))),
]

/** The breakdown values with the most actors. */
async function topOf(reading: Reading, found: FoundEvents, question: FunnelQuestion, limit: number): Promise<string[]> {
  const top = await reading.rows(`SELECT slot FROM (${beginnersSql(reading, found, question, [])}) WHERE slot != ''
    GROUP BY slot ORDER BY count() DESC, slot LIMIT ${int(limit)}`)
  return top.map(([text]) => text as string)
}

export async function funnel(reading: Reading, question: FunnelQuestion): Promise<FunnelAnswer[]> {
  const { projectId, steps, from, to, windowMs, breakdown } = question
  const found = await eventsOfAny(reading, { projectId, selectors: steps, from, to })
  const kept = breakdown ? ['slot'] : []
  const attempts = attemptsSql(sortedSql(reading, found, question, kept), { steps: steps.length, windowMs, kept })
  const figures = ['count()', ...steps.slice(1).flatMap((_, place) => figuresOf(place + 1))].join(', ')
  if (!breakdown) {
    const [row = []] = await reading.rows(`SELECT ${figures} FROM (${attempts})`)
    return [{ breakdown: null, steps: readSteps(row, steps.length) }]
  }
  const top = await topOf(reading, found, question, breakdown.limit)
  const rows = await reading.rows(`SELECT ${lineSql('slot', top)} AS line, ${figures} FROM (${attempts}) GROUP BY line`)
  const lines = new Map(rows.map(([line, ...row]) => [line as string, row]))
  return readLines(lines, top).map(([value, row]) => ({ breakdown: value, steps: readSteps(row, steps.length) }))
}

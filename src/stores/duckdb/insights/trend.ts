/**
 * Trends. Events become *units*, what the measure counts: a number of events, an actor, a session or a number, each
 * with its interval (`bucket`) and its breakdown value (`slot`). Without a breakdown the units are counted in the pass
 * that makes them. With one they are kept: counted by value to find the values with the most, then again with all other
 * values as one, because an actor with two of the other values still counts once.
 */
import type { DuckDBValue } from '@duckdb/node-api'
import type {
  BreakdownValue,
  NumberMeasure,
  TrendLine,
  TrendQuestion,
} from '../../../model/insights/insight-question.ts'
import type { Parts } from '../progress.ts'
import { int } from '../values/literal.ts'
import { bucketSql } from './buckets.ts'
import { matchingEvents } from './matching-events.ts'
import { type QuestionStatement, runQuestion } from './statement.ts'

const NUMBERS: Record<NumberMeasure, string> = {
  sum: 'sum(number)',
  avg: 'avg(number)',
  min: 'min(number)',
  max: 'max(number)',
  median: 'quantile_cont(number, 0.5)',
  p75: 'quantile_cont(number, 0.75)',
  p90: 'quantile_cont(number, 0.9)',
  p95: 'quantile_cont(number, 0.95)',
  p99: 'quantile_cont(number, 0.99)',
}

/** How a measure is counted. */
interface Counting {
  /** SQL of the column needed of each event, besides its interval and breakdown value. */
  column: string
  /** SQL of the units of these events. */
  units: (cells: string) => string
  /** SQL of the units as they count, once the slots are known. */
  countable: (units: string) => string
  /** SQL of the aggregate over these units. */
  value: string
}

const distinct = (column: string) => (cells: string) => `SELECT DISTINCT bucket, slot, ${column} FROM (${cells})`
const unchanged = (units: string) => `SELECT * FROM ${units}`

/** See Search in matching-events.ts. */
const ACTOR = 'person_id, unowned_id'

function actorsCounting({ measure, breakdown, edges }: TrendQuestion): Counting {
  const value = 'count(DISTINCT person_id) + count(DISTINCT unowned_id)'
  const counting = { column: ACTOR, units: distinct(ACTOR), countable: unchanged, value }
  if (measure.kind === 'first_actors') {
    const countable = (units: string) =>
      `SELECT min(bucket) AS bucket, slot, ${ACTOR} FROM ${units} GROUP BY slot, ${ACTOR}`
    return { ...counting, countable }
  }
  if (measure.kind === 'active_actors') {
    const laterBuckets = `unnest(range(bucket, least(bucket + ${int(measure.spans)}, ${int(edges.length - 1)})))`
    return { ...counting, countable: (units) => `SELECT ${laterBuckets} AS bucket, slot, ${ACTOR} FROM ${units}` }
  }
  // Units counted in the pass that finds them need not be deduplicated before.
  return breakdown ? counting : { ...counting, units: (cells) => cells }
}

function countingOf(question: TrendQuestion): Counting {
  const { measure } = question
  switch (measure.kind) {
    case 'events': {
      const units = (cells: string) => `SELECT bucket, slot, count(*) AS events FROM (${cells}) GROUP BY bucket, slot`
      return { column: '', units, countable: unchanged, value: 'sum(events)' }
    }
    case 'actors':
    case 'first_actors':
    case 'active_actors':
      return actorsCounting(question)
    case 'sessions': {
      const units = (cells: string) => `${distinct('session_id')(cells)} WHERE session_id IS NOT NULL`
      const countable = (from: string) => `SELECT DISTINCT bucket, slot, session_id FROM ${from}`
      return { column: 'session_id', units, countable, value: 'count(*)' }
    }
    default: {
      const units = (cells: string) => `SELECT bucket, slot, number FROM (${cells}) WHERE number IS NOT NULL`
      return { column: 'number', units, countable: unchanged, value: NUMBERS[measure.kind] }
    }
  }
}

/** SQL of the events, each with `bucket`, `slot` and what the measure needs. */
async function cellsSql(statement: QuestionStatement, question: TrendQuestion, counting: Counting): Promise<string> {
  const { measure, edges, breakdown, selector } = question
  const found = await matchingEvents(statement, {
    selector,
    from: edges[0] ?? 0,
    to: edges.at(-1) ?? 0,
    columns: `${bucketSql(edges)} AS bucket${measure.kind === 'sessions' ? ', session_id' : ''}`,
    number: 'property' in measure ? measure.property : undefined,
    breakdown,
    ...(counting.column === ACTOR ? { actors: 'parts' } : {}),
  })
  const slot = breakdown ? 'breakdown' : 'NULL::VARCHAR'
  return `SELECT bucket, ${slot} AS slot${counting.column === '' ? '' : `, ${counting.column}`} FROM (${found})`
}

const valued = (counting: Counting, units: string): string =>
  `SELECT slot, bucket, ${counting.value}::DOUBLE AS value FROM (${counting.countable(units)}) GROUP BY slot, bucket`

const VALUE = 0
const NONE = 1
const OTHER = 2

const PLACES: ((text: string) => BreakdownValue)[] = [
  (text) => ({ kind: 'value', text }),
  () => ({ kind: 'none' }),
  () => ({ kind: 'other' }),
]

interface Shape {
  intervals: number
  /** How many of the first intervals are only context. */
  skipped: number
}

function shapeOf({ edges, measure }: TrendQuestion): Shape {
  return { intervals: edges.length - 1, skipped: measure.kind === 'active_actors' ? measure.spans - 1 : 0 }
}

const zeros = ({ intervals }: Shape): number[] => new Array<number>(intervals).fill(0)

async function wholeLine(
  statement: QuestionStatement,
  counting: Counting,
  cells: string,
  shape: Shape,
): Promise<TrendLine[]> {
  statement.define('unit', counting.units(cells))
  const values = zeros(shape)
  for (const [, bucket, value] of await statement.rows(valued(counting, 'unit')))
    values[bucket as number] = value as number
  return [{ breakdown: null, values: values.slice(shape.skipped) }]
}

/** Rows of kind, text, interval and value; the rows of one line are adjacent. */
function linesOf(rows: DuckDBValue[][], shape: Shape): TrendLine[] {
  const lines: TrendLine[] = []
  let last: string | undefined
  for (const [kind, text, bucket, value] of rows as [number, string, number, number][]) {
    const key = `${kind}/${text}`
    if (key !== last) lines.push({ breakdown: PLACES[kind]?.(text) ?? { kind: 'none' }, values: zeros(shape) })
    last = key
    const line = lines.at(-1)
    if (line) line.values[bucket] = value
  }
  return lines.map((line) => ({ ...line, values: line.values.slice(shape.skipped) }))
}

async function brokenDown(statement: QuestionStatement, counting: Counting, cells: string, question: TrendQuestion) {
  const limit = int(question.breakdown?.limit ?? 0)
  const shape = shapeOf(question)
  statement.define('unit', counting.units(cells), true)
  const visible = `bucket >= ${int(shape.skipped)}`
  statement.define(
    'best',
    `SELECT slot, row_number() OVER (ORDER BY sum(value) DESC, slot) AS place
      FROM (${valued(counting, 'unit')}) WHERE slot IS NOT NULL AND ${visible}
      GROUP BY slot ORDER BY place LIMIT ${limit}`,
    true,
  )
  const kind = `CASE WHEN place IS NOT NULL THEN ${VALUE} WHEN slot IS NULL THEN ${NONE} ELSE ${OTHER} END`
  statement.define(
    'sorted_unit',
    `SELECT {'kind': ${kind}, 'place': place, 'text': CASE WHEN place IS NOT NULL THEN slot END} AS slot,
      unit.* EXCLUDE (slot) FROM unit LEFT JOIN best USING (slot)`,
  )
  const rows = await statement.rows(`SELECT slot.kind, coalesce(slot.text, ''), bucket, value
    FROM (${valued(counting, 'sorted_unit')}) WHERE ${visible}
    ORDER BY slot.kind, slot.place, bucket`)
  return linesOf(rows, shape)
}

export const trend = (parts: Parts, question: TrendQuestion): Promise<TrendLine[]> =>
  runQuestion(parts, question.projectId, async (statement) => {
    const counting = countingOf(question)
    const cells = await cellsSql(statement, question, counting)
    return question.breakdown
      ? brokenDown(statement, counting, cells, question)
      : wholeLine(statement, counting, cells, shapeOf(question))
  })

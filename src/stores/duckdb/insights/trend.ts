/**
 * Trends. Events become *units*, what the measure counts: a number of events, an actor, a session or a number, each
 * with its interval (`bucket`) and its breakdown value (`slot`). Without a breakdown the units are counted in the pass
 * that makes them. With one they are kept: counted by value, which also finds the values with the most; then those of all
 * other values again as one, because an actor with two of the other values still counts once.
 */
import type { DuckDBValue } from '@duckdb/node-api'
import { MAX_EXACT, MAX_UNCHANGED, rounded, roundedSum } from '../../../lib/numbers/sums.ts'
import type { NumberMeasure, TrendLine, TrendQuestion } from '../../../model/insights/insight-question.ts'
import { breakdownOf, NONE, OTHER, VALUE } from '../../insight-answers.ts'
import type { Parts } from '../progress.ts'
import { double, int } from '../values/literal.ts'
import { bucketSql } from './buckets.ts'
import { matchingEvents } from './matching-events.ts'
import { type QuestionStatement, runQuestion } from './statement.ts'

/** SQL of an aggregate, and of whether all its numbers are whole. */
interface Aggregate {
  value: string
  ofWholes: string
}

/** How a measure adds doubles. The engine compensates for lost digits, the result is rounded. */
interface Addition {
  /** From the value, and whether it is known to be of whole numbers. */
  answer: (value: number, ofWholes: boolean) => number
  /** Whether a value of the plain aggregate cannot be answered without the careful one. */
  isUnsure: (value: number) => boolean
  careful: Aggregate
}

/** Where the compensation has overflowed, scaled numbers are added: 2^64 of them would not overflow. */
const withoutOverflow = (sum: string): string =>
  `CASE WHEN isnan(${sum}(number)) THEN ${sum}(number / ${double(2 ** 64)}) * ${double(2 ** 64)} ELSE ${sum}(number) END`

/** Only large sums are asked for it: to see whether numbers are whole takes almost as long as to add them. */
const ALL_WHOLE = 'bool_and(number = trunc(number))'

const isLargeWhole = (value: number): boolean =>
  Number.isInteger(value) && Math.abs(value) > MAX_UNCHANGED && Math.abs(value) <= MAX_EXACT

const ADDITIONS: Partial<Record<NumberMeasure, Addition>> = {
  sum: {
    answer: roundedSum,
    isUnsure: (value) => Number.isNaN(value) || isLargeWhole(value),
    careful: { value: withoutOverflow('fsum'), ofWholes: ALL_WHOLE },
  },
  avg: {
    answer: rounded,
    isUnsure: Number.isNaN,
    careful: { value: withoutOverflow('favg'), ofWholes: 'false' },
  },
}

const NUMBERS: Record<NumberMeasure, string> = {
  sum: 'fsum(number)',
  avg: 'favg(number)',
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
  /** Whether no two units are the same. */
  isDistinct?: boolean
  /** SQL of the units as they count, once the slots are known. */
  countable: (units: string) => string
  /** SQL of the aggregate over these units. */
  value: string
  addition?: Addition | undefined
  /** SQL by which lines are ranked, of the sum of their values; that sum itself unless given. */
  rank?: (total: string) => string
}

/** To 12 significant digits, unless it is whole: lines that are equal but for lost digits are ranked by their texts. */
const roundedTotal = (total: string): string =>
  `CASE WHEN NOT isfinite(${total}) OR (${total} = trunc(${total}) AND abs(${total}) <= ${double(MAX_EXACT)}) THEN ${total}
    ELSE round(${total}, 11 - floor(log10(abs(${total})))::INTEGER) END`

const distinct = (column: string) => (cells: string) => `SELECT DISTINCT bucket, slot, ${column} FROM (${cells})`
const unchanged = (units: string) => `SELECT * FROM ${units}`

/**
 * SQL of how many actors are active in each interval with any: in it or in one of the `spans - 1` before. An actor stays
 * active for `spans` intervals, or until its next one begins; so beginnings and ends are added up, and no actor is
 * repeated for each interval in which it is active.
 */
function activeSql(units: string, spans: number, intervals: number): string {
  const next = `lead(bucket) OVER (PARTITION BY slot, actor ORDER BY bucket)`
  return `WITH stay AS MATERIALIZED (
      SELECT slot, bucket AS since, least(bucket + ${int(spans)}, coalesce(${next}, ${int(intervals)})) AS until FROM ${units}),
    change AS (
      SELECT slot, since AS bucket, 1 AS actors FROM stay
      UNION ALL SELECT slot, until, -1 FROM stay WHERE until < ${int(intervals)}),
    changed AS (
      SELECT slot, bucket, sum(sum(actors)) OVER in_slot AS active, lead(bucket) OVER in_slot AS next FROM change
      GROUP BY slot, bucket WINDOW in_slot AS (PARTITION BY slot ORDER BY bucket))
    SELECT slot, unnest(range(bucket, coalesce(next, ${int(intervals)}))) AS bucket, active FROM changed WHERE active > 0`
}

function actorsCounting({ measure, breakdown, edges }: TrendQuestion): Counting {
  const counting = {
    column: 'actor',
    units: distinct('actor'),
    isDistinct: true,
    countable: unchanged,
    value: 'count(*)',
  }
  if (measure.kind === 'first_actors') {
    const countable = (units: string) => `SELECT min(bucket) AS bucket, slot, actor FROM ${units} GROUP BY slot, actor`
    return { ...counting, countable }
  }
  if (measure.kind === 'active_actors') {
    const countable = (units: string) => activeSql(units, measure.spans, edges.length - 1)
    return { ...counting, countable, value: 'sum(active)' }
  }
  // Units counted in the pass that finds them need not be deduplicated before.
  return breakdown ? counting : { ...counting, units: (cells) => cells, value: 'count(DISTINCT actor)' }
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
      return { column: 'session_id', units, isDistinct: true, countable: unchanged, value: 'count(*)' }
    }
    default: {
      const units = (cells: string) => `SELECT bucket, slot, number FROM (${cells}) WHERE number IS NOT NULL`
      const value = NUMBERS[measure.kind]
      const addition = ADDITIONS[measure.kind]
      return { column: 'number', units, countable: unchanged, value, addition, rank: roundedTotal }
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
    withActors: counting.column === 'actor',
  })
  const slot = breakdown ? 'breakdown' : 'NULL::VARCHAR'
  return `SELECT bucket, ${slot} AS slot${counting.column === '' ? '' : `, ${counting.column}`} FROM (${found})`
}

const valued = ({ countable }: Counting, { value, ofWholes }: Aggregate, units: string): string =>
  `SELECT slot, bucket, (${value})::DOUBLE AS value, ${ofWholes} AS of_wholes FROM (${countable(units)}) GROUP BY slot, bucket`

/** Rows of kind, text, interval, value and whether it is of whole numbers, as `select` asks for them. */
async function valueRows(
  statement: QuestionStatement,
  { value, addition }: Counting,
  select: (aggregate: Aggregate) => string,
): Promise<DuckDBValue[][]> {
  const rows = await statement.rows(select({ value, ofWholes: 'false' }))
  if (!addition || !rows.some((row) => addition.isUnsure(row[3] as number))) return rows
  return statement.rows(select(addition.careful))
}

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
  const rows = await valueRows(
    statement,
    counting,
    (aggregate) => `SELECT 0, '', bucket, value, of_wholes FROM (${valued(counting, aggregate, 'unit')})`,
  )
  const [line] = linesOf(rows, shape, counting)
  return [{ breakdown: null, values: line?.values ?? zeros(shape).slice(shape.skipped) }]
}

/** Of rows as `valueRows` returns them; those of one line are adjacent. */
function linesOf(rows: DuckDBValue[][], shape: Shape, { addition }: Counting): TrendLine[] {
  const lines: TrendLine[] = []
  let last: string | undefined
  for (const [kind, text, bucket, value, ofWholes] of rows as [number, string, number, number, boolean][]) {
    const key = `${kind}/${text}`
    if (key !== last) lines.push({ breakdown: breakdownOf(kind, text), values: zeros(shape) })
    last = key
    const line = lines.at(-1)
    if (line) line.values[bucket] = addition ? addition.answer(value, ofWholes) : value
  }
  return lines.map((line) => ({ ...line, values: line.values.slice(shape.skipped) }))
}

async function brokenDown(statement: QuestionStatement, counting: Counting, cells: string, question: TrendQuestion) {
  const limit = int(question.breakdown?.limit ?? 0)
  const shape = shapeOf(question)
  statement.define('unit', counting.units(cells), true)
  const visible = `bucket >= ${int(shape.skipped)}`
  const { rank = (total) => total } = counting
  const total = 'CASE WHEN isnan(fsum(value)) THEN sum(value) ELSE fsum(value) END'
  const rows = await valueRows(statement, counting, (aggregate) => {
    statement.define('counted', valued(counting, aggregate, 'unit'), true)
    statement.define(
      'best',
      `SELECT slot, row_number() OVER (ORDER BY ${rank('total')} DESC, slot) AS place FROM (
        SELECT slot, ${total} AS total FROM counted WHERE slot IS NOT NULL AND ${visible} GROUP BY slot)
        ORDER BY place LIMIT ${limit}`,
      true,
    )
    statement.define(
      'other_unit',
      `SELECT ${counting.isDistinct ? 'DISTINCT' : ''} 'other' AS slot, * EXCLUDE (slot)
        FROM unit ANTI JOIN best USING (slot) WHERE slot IS NOT NULL`,
    )
    const value = 'bucket, value, of_wholes'
    return `SELECT kind, text, ${value} FROM (
        SELECT ${VALUE} AS kind, slot AS text, place, ${value} FROM counted JOIN best USING (slot)
        UNION ALL SELECT ${NONE}, '', 0, ${value} FROM counted WHERE slot IS NULL
        UNION ALL SELECT ${OTHER}, '', 0, ${value} FROM (${valued(counting, aggregate, 'other_unit')}))
      WHERE ${visible} ORDER BY kind, place, bucket`
  })
  return linesOf(rows, shape, counting)
}

export const trend = (parts: Parts, question: TrendQuestion): Promise<TrendLine[]> =>
  runQuestion(parts, question.projectId, async (statement) => {
    const counting = countingOf(question)
    const cells = await cellsSql(statement, question, counting)
    return question.breakdown
      ? brokenDown(statement, counting, cells, question)
      : wholeLine(statement, counting, cells, shapeOf(question))
  })

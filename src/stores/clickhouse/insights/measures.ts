/**
 * What a trend measures. Events become *units*, each with its interval (`bucket`), its breakdown value (`slot`) where there
 * is a breakdown, and a key: what is to be counted once, such as an actor. What is added up of a unit's events is added up
 * where they are stored; a unit with a slot of people is added up again once their texts are known.
 */
import { MAX_EXACT, rounded, roundedSum } from '../../../lib/numbers/sums.ts'
import type { NumberMeasure, TrendQuestion } from '../../../model/insights/insight-question.ts'
import type { ColumnsByKey } from '../properties/property-columns.ts'
import { valueUnder } from '../properties/property-sql.ts'
import { NO_SESSION } from '../rows/event-rows.ts'
import { double, int, uuid } from '../values/literal.ts'
import { WHO } from './matching-events.ts'

/** What is added up of the events of a unit. */
interface Column {
  name: string
  /** SQL of an aggregate of events. */
  of: string
  /** SQL of an aggregate of these columns. */
  merged: string
}

/** SQL of rows with `bucket`, `value`, `exact` and the columns that tell lines apart. */
type Values = (units: string, lines: string[]) => string

export interface Counting {
  key?: { name: string; sql: string }
  /** SQL of a further condition on events. */
  where?: string
  columns: Column[]
  /** `exact` is the sum of whole numbers as a text, where the value is that; else empty. */
  values: Values
  /** Whether the value of several lines together is the sum of theirs. */
  addsUp?: true
  /** Whether values are changes to the one of the interval before. */
  areChanges?: boolean
  /** SQL of units with `slot` → `slot` and `total`; the sum of the values unless given. */
  totals?: (units: string) => string
  /** SQL by which totals are ranked; the total itself unless given. */
  rank?: (total: string) => string
  answer?: (value: number, exact: string) => number
}

const NO_EXACT = `'' AS exact`

const listed = (...columns: string[]): string => columns.join(', ')

const plainValues =
  (value: string, exact = NO_EXACT): Values =>
  (units, lines) => {
    const by = listed(...lines, 'bucket')
    return `SELECT ${by}, ${value} AS value, ${exact} FROM (${units}) GROUP BY ${by}`
  }

const counted = (name: string, sql: string): Counting => ({
  key: { name, sql },
  columns: [],
  values: plainValues('count()'),
})

const EVENTS: Column = { name: 'n', of: 'count()', merged: 'sum(n)' }
const ACTORS = counted('who', WHO)

const FIRST_ACTORS: Counting = {
  ...ACTORS,
  values(units, lines) {
    const by = listed(...lines, 'who')
    return plainValues('count()')(`SELECT ${by}, min(bucket) AS bucket FROM (${units}) GROUP BY ${by}`, lines)
  },
}

/**
 * An actor stays active for `spans` intervals, or until its next one begins; so beginnings and ends are added up, and no
 * actor is repeated for each interval in which it is active.
 */
function activeActors(spans: number, intervals: number): Counting {
  const stays: Values = (units, lines) => {
    const by = listed(...lines, 'who')
    const sorted = `SELECT ${by}, arraySort(groupArray(bucket)) AS since FROM (${units}) GROUP BY ${by}`
    const next = `arrayPushBack(arrayPopFront(since), toInt64(${int(intervals)}))`
    const until = `arrayMap((since_one, next_one) -> least(since_one + ${int(spans)}, next_one), since, ${next})`
    return `SELECT ${listed(...lines, 'since')}, ${until} AS until FROM (${sorted})`
  }
  const shown = `greatest(until_one - greatest(since_one, ${int(spans - 1)}), 0)`
  return {
    ...ACTORS,
    areChanges: true,
    values(units, lines) {
      const by = listed(...lines, 'bucket')
      return `SELECT ${by}, sum(change) AS value, ${NO_EXACT} FROM (${stays(units, lines)})
        ARRAY JOIN arrayConcat(since, until) AS bucket,
          arrayConcat(arrayMap(one -> toInt64(1), since), arrayMap(one -> toInt64(-1), until)) AS change
        WHERE bucket < ${int(intervals)} GROUP BY ${by}`
    },
    totals: (units) =>
      `SELECT slot, sum(arraySum((since_one, until_one) -> ${shown}, since, until)) AS total
        FROM (${stays(units, ['slot'])}) GROUP BY slot`,
  }
}

/** To 12 significant digits, unless it is whole: lines that are equal but for lost digits are ranked by their texts. */
function roundedTotal(total: string): string {
  const scale = `exp10(11 - floor(log10(abs(${total}))))`
  const isWhole = `${total} = trunc(${total}) AND abs(${total}) <= ${double(MAX_EXACT)}`
  return `if(NOT isFinite(${scale}) OR (${isWhole}), ${total}, round(${total} * ${scale}) / ${scale})`
}

/**
 * Sums are those of integers, so that no digit is lost, whatever the order: numbers of about the same size are multiples of
 * one power of two, their *size*. (What the engine keeps of a compensated sum does not get from one old server to another.)
 */
const SIZE_BITS = 0x7f80_0000_0000_0000n
const SMALLEST_SIZE = 2 ** -1022
/** Multiples are of this part of the size. They have 60 bits and are added up in two halves. */
const PART = 2 ** -52
const HALF = 2 ** 30
/** Sums that are beyond the largest number on the way are made of scaled ones. */
const SCALE = 2 ** 64
/** Whole numbers up to here are added as integers too: these may overflow on the way, but end where the sum does. */
const MAX_WHOLE = 2 ** 62

function sizeSql(number: string): string {
  const bits = `reinterpretAsUInt64(reinterpretAsString(${number}))`
  const size = `reinterpretAsFloat64(reinterpretAsString(bitAnd(${bits}, ${int(SIZE_BITS)})))`
  return `greatest(${size}, ${double(SMALLEST_SIZE)})`
}

function sumColumns(number: string): Column[] {
  const isWhole = `(${number} = trunc(${number}) AND abs(${number}) <= ${double(MAX_WHOLE)})`
  const multiple = `toInt64(${number} / ${sizeSql(number)} / ${double(PART)})`
  const half = int(HALF)
  return [
    EVENTS,
    { name: 'upper', of: `sum(intDiv(${multiple}, ${half}))`, merged: 'sum(upper)' },
    { name: 'lower', of: `sum(${multiple} % ${half})`, merged: 'sum(lower)' },
    { name: 'wholes', of: `sum(if(${isWhole}, toInt64(${number}), 0))`, merged: 'sum(wholes)' },
    { name: 'are_whole', of: `min(${isWhole})`, merged: 'min(are_whole)' },
  ]
}

const MULTIPLE = `(toFloat64(upper) * ${double(HALF)} + toFloat64(lower)) * ${double(PART)}`
const PLAIN = `sum(${MULTIPLE} * size)`
const SCALED = `sum(${MULTIPLE} * (size / ${double(SCALE)}))`
const SUM = `if(isFinite(${PLAIN}), ${PLAIN}, ${SCALED} * ${double(SCALE)})`
const AVERAGE = `if(isFinite(${PLAIN}), ${PLAIN} / sum(n), ${SCALED} / sum(n) * ${double(SCALE)})`
const EXACT = `if(min(are_whole) = 1 AND abs(${PLAIN}) <= ${double(MAX_WHOLE)}, toString(sum(wholes)), '') AS exact`

const sumAnswer = (value: number, exact: string): number =>
  exact === '' ? rounded(value) : roundedSum(Number(exact), true)

/** A value lies between two of the sorted numbers, each of which is there once, with how many there are up to it. */
const quantile =
  (level: number): Values =>
  (units, lines) => {
    const by = listed(...lines, 'bucket')
    const lists = `SELECT ${by}, groupArray(number) AS numbers, groupArray(n) AS counts, sum(n) AS size
      FROM (${units}) GROUP BY ${by}`
    const sorted = `SELECT ${by}, arraySort(numbers) AS sorted, (size - 1) * ${double(level)} AS rank,
      arrayCumSum(arraySort((one, by_one) -> by_one, counts, numbers)) AS up_to FROM (${lists})`
    const at = (rank: string) => `sorted[arrayFirstIndex(one -> one > ${rank}, up_to)]`
    const between = `SELECT ${by}, ${at('floor(rank)')} AS low, ${at('ceil(rank)')} AS high, rank - floor(rank) AS part
      FROM (${sorted})`
    return `SELECT ${by}, if(part = 0, low, low * (1 - part) + high * part) AS value, ${NO_EXACT} FROM (${between})`
  }

const LEVELS: Partial<Record<NumberMeasure, number>> = { median: 0.5, p75: 0.75, p90: 0.9, p95: 0.95, p99: 0.99 }

function numbers(kind: NumberMeasure, property: string, columns: ColumnsByKey): Counting {
  const { number } = valueUnder(property, columns)
  const every = { where: `NOT isNaN(${number})`, rank: roundedTotal }
  const level = LEVELS[kind]
  if (level !== undefined) {
    const key = { name: 'number', sql: `${number} AS number` }
    return { ...every, key, columns: [EVENTS], values: quantile(level) }
  }
  if (kind === 'min' || kind === 'max') {
    const extremes = [{ name: 'extreme', of: `${kind}(${number})`, merged: `${kind}(extreme)` }]
    return { ...every, columns: extremes, values: plainValues(`${kind}(extreme)`) }
  }
  const sizes = { key: { name: 'size', sql: `${sizeSql(number)} AS size` }, columns: sumColumns(number) }
  return kind === 'sum'
    ? { ...every, ...sizes, values: plainValues(SUM, EXACT), answer: sumAnswer }
    : { ...every, ...sizes, values: plainValues(AVERAGE), answer: rounded }
}

export function countingOf({ measure, edges }: TrendQuestion, columns: ColumnsByKey): Counting {
  switch (measure.kind) {
    case 'events':
      return { columns: [EVENTS], values: plainValues('sum(n)'), addsUp: true }
    case 'actors':
      return ACTORS
    case 'first_actors':
      return FIRST_ACTORS
    case 'active_actors':
      return activeActors(measure.spans, edges.length - 1)
    case 'sessions':
      return { ...counted('session_id', 'session_id'), where: `session_id != ${uuid(NO_SESSION)}` }
    default:
      return numbers(measure.kind, measure.property, columns)
  }
}

/** TrendsQuery: one question per series, and a second one if it is compared with the previous range. */
import { invalid } from '../../lib/errors.ts'
import { DAY } from '../../lib/time/time.ts'
import type { Measure, NumberMeasure, TrendQuestion } from '../../model/insights/insight-question.ts'
import type { ResultAction } from '../../model/insights/insight-result.ts'
import { dayOf, INTERVALS, type Interval, labelOf } from './calendar.ts'
import { intervalsOf, previousRange, readRange, type Setting, type WallRange, wholeOf } from './date-range.ts'
import type { Node } from './query-node.ts'
import { countedIntervals, refuseTooManyCells } from './result-size-limit.ts'
import { readBreakdown, readSeries, type Series } from './series.ts'

/** Displays with a time axis, and displays with one value for the whole range. */
const OVER_TIME = [
  'ActionsLineGraph',
  'ActionsLineGraphCumulative',
  'ActionsAreaGraph',
  'ActionsBar',
  'ActionsStackedBar',
  'ActionsUnstackedBar',
  'Auto',
] as const
const AS_ONE = ['BoldNumber', 'ActionsPie', 'ActionsBarValue', 'ActionsTable', 'WorldMap'] as const

const NUMBER_MATHS: readonly NumberMeasure[] = ['sum', 'avg', 'min', 'max', 'median', 'p75', 'p90', 'p95', 'p99']
const MATHS = ['total', 'dau', 'weekly_active', 'monthly_active', 'unique_session', ...NUMBER_MATHS] as const
const ACTIVE_DAYS: Record<string, number> = { weekly_active: 7, monthly_active: 30 }

/** The answer to one question is the rows of one series in one range. */
export interface TrendLinePlan {
  question: TrendQuestion
  action: ResultAction
  label: string
  compare: 'current' | 'previous' | null
  labels: string[]
  days: string[]
}

export interface TrendsPlan {
  kind: 'TrendsQuery'
  display: string
  interval: Interval
  /** One value for the whole range. */
  asOne: boolean
  /** Running totals. */
  cumulative: boolean
  hidesOther: boolean
  lines: TrendLinePlan[]
}

const isNumberMath = (math: string): math is NumberMeasure => (NUMBER_MATHS as readonly string[]).includes(math)

/** What a series counts, and how many intervals before the range it needs for that. */
interface Counted {
  measure: Measure
  before: number
  /** For a single value: counts only the last days of the range. */
  lastDays: number | null
}

interface Shape {
  interval: Interval
  asOne: boolean
  cumulative: boolean
}

function readProperty(node: Node): string {
  node.choice('math_property_type', ['event_properties'])
  const property = node.text('math_property')
  if (!property) throw invalid('This math needs the name of a property.', node.attr('math_property'), 'required')
  return property
}

function readActive(math: string, { interval, asOne }: Shape, node: Node): Counted {
  const days = ACTIVE_DAYS[math] ?? 1
  if (asOne) return { measure: { kind: 'actors' }, before: 0, lastDays: days }
  if (interval === 'hour') throw invalid(`"${math}" is not supported by the hour.`, node.attr('math'), 'not_supported')
  if (interval !== 'day') return { measure: { kind: 'actors' }, before: 0, lastDays: null }
  return { measure: { kind: 'active_actors', spans: days }, before: days - 1, lastDays: null }
}

function readMath(node: Node, shape: Shape): Counted {
  const math = node.choice('math', MATHS) ?? 'total'
  const plain = (measure: Measure): Counted => ({ measure, before: 0, lastDays: null })
  if (isNumberMath(math)) return plain({ kind: math, property: readProperty(node) })
  if (math === 'total') return plain({ kind: 'events' })
  if (math === 'unique_session') return plain({ kind: 'sessions' })
  // In a running total each person counts once.
  if (math === 'dau') return plain({ kind: shape.cumulative ? 'first_actors' : 'actors' })
  return readActive(math, shape, node)
}

function refuseUncomputed(query: Node, filter: Node): void {
  filter.refuse({
    formula: 'Formulas are',
    formulas: 'Formulas are',
    formulaNodes: 'Formulas are',
  })
  const smoothing = filter.integer('smoothingIntervals', { min: 1, max: 1_000 }) ?? 1
  if (smoothing > 1) throw invalid('Smoothing is not supported.', filter.attr('smoothingIntervals'), 'not_supported')
  query.refuse({ conversionGoal: 'Conversion goals are' })
}

/** The edges of a question, and the labels of its intervals. */
type Axis = Pick<TrendLinePlan, 'labels' | 'days'> & Pick<TrendQuestion, 'edges'>

/** The whole range, or its last days. */
function wholeAxis(range: WallRange, { lastDays }: Counted, { interval }: Shape, setting: Setting): Axis {
  const [from, to] = wholeOf(range, interval, setting)
  return { edges: [lastDays === null ? from : Math.max(from, to - lastDays * DAY), to], labels: [], days: [] }
}

function axisOf(range: WallRange, counted: Counted, shape: Shape, setting: Setting): Axis {
  const { interval, asOne } = shape
  if (asOne) return wholeAxis(range, counted, shape, setting)
  const { edges, starts } = intervalsOf(range, interval, setting, counted.before)
  const shown = starts.slice(counted.before)
  return {
    edges,
    labels: shown.map((start) => labelOf(interval, start)),
    days: shown.map((start) => dayOf(interval, start)),
  }
}

/** Caches axes by their parameters: building one takes long, and all series share it. */
function createAxes(shape: Shape, setting: Setting) {
  const made = new Map<string, Axis>()
  return (range: WallRange, counted: Counted): Axis => {
    const key = [range.from, range.to, counted.before, counted.lastDays].join('/')
    const axis = made.get(key) ?? axisOf(range, counted, shape, setting)
    made.set(key, axis)
    return axis
  }
}

interface PlannedRange {
  wall: WallRange
  compare: TrendLinePlan['compare']
}

function readRanges(query: Node, interval: Interval, setting: Setting): PlannedRange[] {
  const range = readRange(query, interval, setting)
  const compareFilter = query.child('compareFilter')
  if (!compareFilter.isOn('compare')) return [{ wall: range, compare: null }]
  return [
    { wall: range, compare: 'current' },
    { wall: previousRange(range, interval, compareFilter), compare: 'previous' },
  ]
}

/** Computed from the question alone, before any interval is built. */
function refuseTooMany(
  query: Node,
  factors: { series: Series[]; limit: number; ranges: PlannedRange[] },
  shape: Shape,
) {
  const [first] = factors.ranges
  const intervals = shape.asOne || !first ? 1 : countedIntervals(first.wall, shape.interval)
  const { series, limit, ranges } = factors
  refuseTooManyCells({ series: series.length, 'breakdown values': limit, intervals, ranges: ranges.length }, query.path)
}

export function readTrends(query: Node, setting: Setting): TrendsPlan {
  const filter = query.child('trendsFilter')
  refuseUncomputed(query, filter)
  const interval = query.choice('interval', INTERVALS) ?? 'day'
  const display = filter.choice('display', [...OVER_TIME, ...AS_ONE]) ?? 'ActionsLineGraph'
  const asOne = (AS_ONE as readonly string[]).includes(display)
  const cumulative = display === 'ActionsLineGraphCumulative'
  const shape = { interval, asOne, cumulative }
  const ranges = readRanges(query, interval, setting)
  const { hidesOther = false, ...breakdown } = readBreakdown(query) ?? {}
  const allSeries = readSeries(query, setting)
  refuseTooMany(query, { series: allSeries, limit: 'key' in breakdown ? breakdown.limit : 1, ranges }, shape)
  const axis = createAxes(shape, setting)
  const planLine = (series: Series, { wall, compare }: PlannedRange): TrendLinePlan => {
    const counted = readMath(series.node, shape)
    const { edges, labels, days } = axis(wall, counted)
    return {
      question: {
        projectId: setting.projectId,
        selector: series.selector,
        measure: counted.measure,
        edges,
        breakdown: 'key' in breakdown ? breakdown : null,
      },
      action: series.action,
      label: series.label,
      compare,
      labels,
      days,
    }
  }
  const lines = allSeries.flatMap((series) => ranges.map((part) => planLine(series, part)))
  return { kind: 'TrendsQuery', display, interval, asOne, cumulative, hidesOther, lines }
}

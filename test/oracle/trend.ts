/** Trends by going through all events. */
import type {
  BreakdownValue,
  Measure,
  NumberMeasure,
  TrendLine,
  TrendQuestion,
} from '../../src/model/insights/insight-question.ts'
import { intervalAt, percentile, sum } from './interval.ts'
import { breakdownOf, compareTexts, isMeant, numberOf } from './property.ts'
import { actorOf, type World, type WorldEvent } from './world.ts'

/** One event that counts: its interval, and who or what it is counted by. */
interface Unit {
  interval: number
  who: string
  number: number
}

const NUMBERS: Record<NumberMeasure, (values: number[]) => number> = {
  sum,
  avg: (values) => sum(values) / values.length,
  min: (values) => values.reduce((a, b) => (b < a ? b : a)),
  max: (values) => values.reduce((a, b) => (b > a ? b : a)),
  median: (values) => percentile(values, 0.5),
  p75: (values) => percentile(values, 0.75),
  p90: (values) => percentile(values, 0.9),
  p95: (values) => percentile(values, 0.95),
  p99: (values) => percentile(values, 0.99),
}

const isNumbers = (measure: Measure): measure is Extract<Measure, { property: string }> => 'property' in measure

/** Null for an event that does not count, having no session or no number. */
function unitOf(world: World, event: WorldEvent, interval: number, measure: Measure): Unit | null {
  if (measure.kind === 'sessions') return event.sessionId ? { interval, who: event.sessionId, number: 0 } : null
  if (!isNumbers(measure)) return { interval, who: actorOf(world, event), number: 0 }
  const number = numberOf(event.properties[measure.property])
  return number === null ? null : { interval, who: '', number }
}

/** Units of each interval, once they are moved to where they count. */
function spread(units: Unit[], measure: Measure, intervals: number): Unit[][] {
  const spans = measure.kind === 'active_actors' ? measure.spans : 1
  const byInterval: Unit[][] = Array.from({ length: intervals }, () => [])
  const seen = new Set<string>()
  for (const unit of units.toSorted((a, b) => a.interval - b.interval)) {
    if (measure.kind === 'first_actors') {
      if (seen.has(unit.who)) continue
      seen.add(unit.who)
    }
    for (let later = 0; later < spans; later++) byInterval[unit.interval + later]?.push(unit)
  }
  return byInterval.slice(spans - 1)
}

function measured(units: Unit[], measure: Measure): number {
  if (units.length === 0) return 0
  if (measure.kind === 'events') return units.length
  if (isNumbers(measure)) return NUMBERS[measure.kind](units.map(({ number }) => number))
  return new Set(units.map(({ who }) => who)).size
}

/** Lines that differ only in digits that adding may lose are equal. */
const roundedSum = (values: number[]): number => Number(sum(values).toPrecision(12))

interface Line {
  values: number[]
  /** Whether anything counts in it, even with a value of 0. */
  isThere: boolean
}

function lineOf(units: Unit[], { measure, edges }: TrendQuestion): Line {
  const spreadOut = spread(units, measure, edges.length - 1)
  return {
    values: spreadOut.map((some) => measured(some, measure)),
    isThere: spreadOut.some((some) => some.length > 0),
  }
}

/** Units by their breakdown value; under null those without one. */
function unitsBySlot(world: World, question: TrendQuestion): Map<string | null, Unit[]> {
  const slots = new Map<string | null, Unit[]>()
  for (const event of world.events) {
    const interval = intervalAt(question.edges, event.at)
    if (interval === null || !isMeant(world, event, question.selector)) continue
    const unit = unitOf(world, event, interval, question.measure)
    if (!unit) continue
    const slot = question.breakdown ? breakdownOf(world, event, question.breakdown) : null
    const units = slots.get(slot) ?? []
    units.push(unit)
    slots.set(slot, units)
  }
  return slots
}

export function trendOf(world: World, question: TrendQuestion): TrendLine[] {
  const slots = unitsBySlot(world, question)
  if (!question.breakdown) return [{ breakdown: null, values: lineOf(slots.get(null) ?? [], question).values }]
  const named = [...slots].filter((slot): slot is [string, Unit[]] => slot[0] !== null)
  const ranked = named
    .map(([text, units]) => ({ text, units, ...lineOf(units, question) }))
    .filter(({ isThere }) => isThere)
    .sort((a, b) => roundedSum(b.values) - roundedSum(a.values) || compareTexts(a.text, b.text))
  const top = ranked.slice(0, question.breakdown.limit)
  const topTexts = new Set(top.map(({ text }) => text))
  const others = named.filter(([text]) => !topTexts.has(text)).flatMap(([, units]) => units)
  const rest: [BreakdownValue, Line][] = [
    [{ kind: 'none' }, lineOf(slots.get(null) ?? [], question)],
    [{ kind: 'other' }, lineOf(others, question)],
  ]
  return [
    ...top.map(({ text, values }): TrendLine => ({ breakdown: { kind: 'value', text }, values })),
    ...rest.filter(([, { isThere }]) => isThere).map(([breakdown, { values }]) => ({ breakdown, values })),
  ]
}

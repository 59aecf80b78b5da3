/** Questions of every kind and shape about a made world, the details by chance. */
import type { Dice } from '../../src/demo/seeded-random.ts'
import { DAY, HOUR, MINUTE } from '../../src/lib/time/time.ts'
import type {
  Breakdown,
  EventSelector,
  FunnelQuestion,
  LifecycleQuestion,
  Measure,
  NumberMeasure,
  RetentionQuestion,
  TrendQuestion,
} from '../../src/model/insights/insight-question.ts'
import type { PropertyFilter } from '../../src/model/persons/person.ts'
import { BEGIN, LENGTH, NAMES, ODD_KEY } from './make-world.ts'

const NUMBERS: NumberMeasure[] = ['sum', 'avg', 'min', 'max', 'median', 'p75', 'p90', 'p95', 'p99']
const MEASURES: Measure[] = [
  { kind: 'events' },
  { kind: 'actors' },
  { kind: 'first_actors' },
  { kind: 'active_actors', spans: 3 },
  { kind: 'active_actors', spans: 7 },
  { kind: 'sessions' },
  ...NUMBERS.map((kind): Measure => ({ kind, property: 'price' })),
]

const CONDITIONS: PropertyFilter[] = [
  { key: 'plan', operator: 'exact', value: ['plan 0', 'plan 1', '1'] },
  { key: 'plan', operator: 'is_not', value: 'plan 2' },
  { key: 'plan', operator: 'not_icontains', value: 'AN 1' },
  { key: 'price', operator: 'gt', value: 300 },
  { key: 'price', operator: 'lte', value: 700 },
  { key: ODD_KEY, operator: 'is_set', value: null },
  { type: 'person', key: 'plan', operator: 'is_not', value: 'plan 0' },
  { type: 'person', key: 'plan', operator: 'icontains', value: 'LAN 1' },
  { type: 'person', key: ODD_KEY, operator: 'is_not_set', value: null },
  { type: 'person', key: 'price', operator: 'gt', value: 100 },
]

function filterOf(dice: Dice): PropertyFilter | null {
  if (dice.next() < 0.5) return null
  if (dice.next() < 0.5) return dice.pick(CONDITIONS)
  return {
    join: dice.pick(['AND', 'OR']),
    of: [dice.pick(CONDITIONS), { join: 'OR', of: [dice.pick(CONDITIONS), dice.pick(CONDITIONS)] }],
  }
}

const selectorOf = (dice: Dice): EventSelector => ({
  event: dice.next() < 0.25 ? null : dice.pick(NAMES),
  filter: filterOf(dice),
})

function breakdownOf(dice: Dice, of: Breakdown['of'] | null): Breakdown | null {
  if (of === null) return null
  return { of, key: dice.pick(['plan', 'plan', 'price', ODD_KEY]), limit: dice.pick([1, 5, 25, 500]) }
}

/** Hours, days, weeks, or lengths as months and changes of the clock make them. */
function edgesOf(dice: Dice, most = 2_000): number[] {
  const step = dice.pick([HOUR, DAY, DAY, 7 * DAY, null])
  const edges = [BEGIN + dice.between(-3, 30) * DAY]
  const last = Math.min(BEGIN + LENGTH + 3 * DAY, (edges[0] as number) + dice.between(2, 50) * DAY)
  while ((edges.at(-1) as number) < last && edges.length <= most) {
    edges.push((edges.at(-1) as number) + (step ?? dice.pick([HOUR, 23 * HOUR, DAY, 25 * HOUR, 9 * DAY])))
  }
  return edges.length < 3 ? [...edges, (edges.at(-1) as number) + DAY] : edges
}

/** Enough intervals for those that only look back. */
function edgesFor(dice: Dice, measure: Measure): number[] {
  const least = measure.kind === 'active_actors' ? measure.spans + 1 : 2
  const edges = edgesOf(dice)
  while (edges.length < least) edges.push((edges.at(-1) as number) + DAY)
  return edges
}

/** Every measure, whole and by both breakdowns. */
export function trendQuestions(dice: Dice): TrendQuestion[] {
  return MEASURES.flatMap((measure) =>
    ([null, 'event', 'person'] as const).map((of) => ({
      projectId: 1,
      selector: selectorOf(dice),
      measure,
      edges: edgesFor(dice, measure),
      breakdown: breakdownOf(dice, of),
    })),
  )
}

const WINDOWS = [0, 1, MINUTE, HOUR, 6 * HOUR, DAY, 14 * DAY, 1_000 * DAY]

/** Of one to six steps; the plainest one first, as that is what people ask. */
export function funnelQuestions(dice: Dice, count: number): FunnelQuestion[] {
  const plain = NAMES.slice(0, 3).map((event) => ({ event, filter: null }))
  return Array.from({ length: count }, (_, place) => {
    const from = BEGIN + dice.between(-2, 20) * DAY
    return {
      projectId: 1,
      steps: place % 3 === 0 ? plain : Array.from({ length: dice.between(1, 6) }, () => selectorOf(dice)),
      from,
      to: from + dice.between(1, 40) * DAY,
      windowMs: dice.pick(WINDOWS),
      breakdown: breakdownOf(dice, ([null, 'event', 'person'] as const)[place % 4] ?? null),
    }
  })
}

export function retentionQuestions(dice: Dice, count: number): RetentionQuestion[] {
  return Array.from({ length: count }, (_, place) => ({
    projectId: 1,
    target: selectorOf(dice),
    returning: selectorOf(dice),
    firstTime: place % 2 === 0,
    edges: edgesOf(dice, 100),
  }))
}

export const lifecycleQuestions = (dice: Dice, count: number): LifecycleQuestion[] =>
  Array.from({ length: count }, () => ({ projectId: 1, selector: selectorOf(dice), edges: edgesOf(dice) }))

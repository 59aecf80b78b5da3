/** Questions of every kind and shape about a generated world, with random details. */
import type { Random } from '../../src/demo/seeded-random.ts'
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

function filterOf(random: Random): PropertyFilter | null {
  if (random.next() < 0.5) return null
  if (random.next() < 0.5) return random.pick(CONDITIONS)
  return {
    join: random.pick(['AND', 'OR']),
    of: [random.pick(CONDITIONS), { join: 'OR', of: [random.pick(CONDITIONS), random.pick(CONDITIONS)] }],
  }
}

const selectorOf = (random: Random): EventSelector => ({
  event: random.next() < 0.25 ? null : random.pick(NAMES),
  filter: filterOf(random),
})

function breakdownOf(random: Random, of: Breakdown['of'] | null): Breakdown | null {
  if (of === null) return null
  return { of, key: random.pick(['plan', 'plan', 'price', ODD_KEY]), limit: random.pick([1, 5, 25, 500]) }
}

/** Hours, days, weeks, or lengths such as those of months and clock changes. */
function edgesOf(random: Random, most = 2_000): number[] {
  const step = random.pick([HOUR, DAY, DAY, 7 * DAY, null])
  const edges = [BEGIN + random.between(-3, 30) * DAY]
  const last = Math.min(BEGIN + LENGTH + 3 * DAY, (edges[0] as number) + random.between(2, 50) * DAY)
  while ((edges.at(-1) as number) < last && edges.length <= most) {
    edges.push((edges.at(-1) as number) + (step ?? random.pick([HOUR, 23 * HOUR, DAY, 25 * HOUR, 9 * DAY])))
  }
  return edges.length < 3 ? [...edges, (edges.at(-1) as number) + DAY] : edges
}

/** Enough intervals for those that are only context. */
function edgesFor(random: Random, measure: Measure): number[] {
  const least = measure.kind === 'active_actors' ? measure.spans + 1 : 2
  const edges = edgesOf(random)
  while (edges.length < least) edges.push((edges.at(-1) as number) + DAY)
  return edges
}

/** Every measure, whole and by both breakdowns. */
export function trendQuestions(random: Random): TrendQuestion[] {
  return MEASURES.flatMap((measure) =>
    ([null, 'event', 'person'] as const).map((of) => ({
      projectId: 1,
      selector: selectorOf(random),
      measure,
      edges: edgesFor(random, measure),
      breakdown: breakdownOf(random, of),
    })),
  )
}

const WINDOWS = [0, 1, MINUTE, HOUR, 6 * HOUR, DAY, 14 * DAY, 1_000 * DAY]

/** Of one to six steps; the plainest one first, as that is the most common. */
export function funnelQuestions(random: Random, count: number): FunnelQuestion[] {
  const plain = NAMES.slice(0, 3).map((event) => ({ event, filter: null }))
  return Array.from({ length: count }, (_, place) => {
    const from = BEGIN + random.between(-2, 20) * DAY
    return {
      projectId: 1,
      steps: place % 3 === 0 ? plain : Array.from({ length: random.between(1, 6) }, () => selectorOf(random)),
      from,
      to: from + random.between(1, 40) * DAY,
      windowMs: random.pick(WINDOWS),
      breakdown: breakdownOf(random, ([null, 'event', 'person'] as const)[place % 4] ?? null),
    }
  })
}

export function retentionQuestions(random: Random, count: number): RetentionQuestion[] {
  return Array.from({ length: count }, (_, place) => ({
    projectId: 1,
    target: selectorOf(random),
    returning: selectorOf(random),
    firstTime: place % 2 === 0,
    edges: edgesOf(random, 100),
  }))
}

export const lifecycleQuestions = (random: Random, count: number): LifecycleQuestion[] =>
  Array.from({ length: count }, () => ({ projectId: 1, selector: selectorOf(random), edges: edgesOf(random) }))

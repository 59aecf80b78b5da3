/**
 * Sums and averages of numbers: exact where whole numbers allow it, else to 12 significant digits, in whatever order
 * rows came.
 */
import { expect, it } from 'vitest'
import { DAY } from '../../../lib/time/time.ts'
import type { NumberMeasure, TrendLine } from '../../../model/insights/insight-question.ts'
import { ANY_EVENT, makeBatch, makeEvent, NOON, type Opened } from '../batch-builders.ts'
import { expectSame } from '../same-answer.ts'

const LIMIT = 2 ** 53

/** Numbers of one day, their sum and their average. */
const CASES: [numbers: number[], sum: number, avg: number][] = [
  [[LIMIT - 1, 1], LIMIT, 4_503_599_627_370_000],
  [[LIMIT - 2, 1], LIMIT - 1, 4_503_599_627_370_000],
  [[-LIMIT, 1], 1 - LIMIT, -4_503_599_627_370_000],
  [[LIMIT, 2], 9_007_199_254_740_000, 4_503_599_627_370_000],
  [[2 ** 52, 0.5, 0.5], 4_503_599_627_370_000, 1_501_199_875_790_000],
  [[1_234_567_890_123, 0], 1_234_567_890_123, 617_283_945_062],
  [[123_456_789_012, 0], 123_456_789_012, 61_728_394_506],
  [[0.1, 0.2], 0.3, 0.15],
  [[1, 1, 0], 2, 0.666666666667],
  [[-0.1, 0.1], 0, 0],
  [[1e300, 1e-300], 1e300, 5e299],
  [[1e-300, 2e-300], 3e-300, 1.5e-300],
  [[-1e6, 1e-3, 7], -999_992.999, -333_330.999667],
  [[1e308, 1e308, -1e308], 1e308, 3.33333333333e307],
  [[-1.5e308, -1.5e308, 1.5e308], -1.5e308, -5e307],
  [[], 0, 0],
]

const KINDS = ['sum', 'avg', 'min', 'max', 'median', 'p90'] as const

const at = (day: number) => NOON + day * DAY

async function asked({ store, projectId }: Opened, kind: NumberMeasure, days: number, by?: string) {
  const edges = Array.from({ length: days + 1 }, (_, day) => at(day))
  const breakdown = by === undefined ? null : ({ of: 'event', key: by, limit: 100 } as const)
  const measure = { kind, property: 'price' }
  return store.trend({ projectId, selector: ANY_EVENT, measure, edges, breakdown })
}

const textOf = ({ breakdown }: TrendLine) => (breakdown?.kind === 'value' ? breakdown.text : breakdown?.kind)

/** A fixed sequence of doubles of very different sizes. */
function manyNumbers(count: number): number[] {
  let state = 1
  return Array.from({ length: count }, () => {
    state = (state * 48_271) % 2_147_483_647
    const number = (state / 2_147_483_647 - 0.4) * 10 ** ((state % 9) - 4)
    return number === 0 ? 1 : number
  })
}

export function sums(opened: () => Opened): void {
  it.each(['in order', 'reversed'])('are exact or rounded, of numbers %s', async (order) => {
    const here = opened()
    const events = CASES.flatMap(([numbers], day) =>
      numbers.map((price) =>
        makeEvent(here.projectId, { timestamp: at(day), properties: { price, of: `day ${day}` } }),
      ),
    )
    await here.store.apply([makeBatch(1, { events: order === 'reversed' ? events.toReversed() : events })], NOON)
    const expected = { sum: CASES.map(([, sum]) => sum), avg: CASES.map(([, , avg]) => avg) }
    for (const kind of ['sum', 'avg'] as const) {
      const [line] = await asked(here, kind, CASES.length)
      expect(line?.values).toEqual(expected[kind])
      const lines = await asked(here, kind, CASES.length, 'of')
      const values = new Map(lines.map((one) => [textOf(one), one.values]))
      expect(CASES.map((_, day) => values.get(`day ${day}`)?.[day] ?? 0)).toEqual(expected[kind])
    }
  })

  it('are the same in whatever order and portions rows came', async () => {
    const numbers = manyNumbers(3_000)
    const cents = numbers.map((_, place) => ((place * 7_919) % 10_007) / 100)
    const orders: ((a: number, b: number) => number)[] = [
      (a, b) => a - b,
      (a, b) => b - a,
      (a, b) => ((a * 31) % 101) - ((b * 31) % 101),
    ]
    const answers: TrendLine[][][] = []
    for (const [n, order] of orders.entries()) {
      const here = opened()
      const places = numbers.map((_, place) => place).toSorted(order)
      const events = places.map((place) => {
        const [price, by] = place % 2 ? [numbers[place], 'number'] : [cents[place], 'cents']
        return makeEvent(here.projectId, { timestamp: at(place % 3), properties: { price, by } })
      })
      const size = 700 * (n + 1)
      for (let start = 0; start < events.length; start += size) {
        await here.store.apply([makeBatch(start + 1, { events: events.slice(start, start + size) })], NOON)
      }
      answers.push(await Promise.all(KINDS.map((kind) => asked(here, kind, 3, 'by'))))
    }
    const [first] = answers
    for (const answer of answers) {
      for (const [place, kind] of KINDS.entries()) {
        // However they are read, the same engine's percentiles are equal.
        const closeness = kind === 'sum' || kind === 'avg' ? 'rounded' : 'equal'
        expectSame(answer[place], first?.[place], kind, closeness)
      }
    }
    const paid = first?.[0]?.find((line) => textOf(line) === 'cents')?.values
    const whole = [0, 1, 2].map((day) =>
      cents.reduce(
        (sum, value, place) => sum + (place % 2 === 0 && place % 3 === day ? Math.round(value * 100) : 0),
        0,
      ),
    )
    expect(paid).toEqual(whole.map((value) => value / 100))
  })

  it('rank lines by their texts where they differ in lost digits only', async () => {
    const here = opened()
    const rows = [
      { by: 'b', price: 0.1, timestamp: at(0) },
      { by: 'b', price: 0.2, timestamp: at(1) },
      { by: 'a', price: 0.3, timestamp: at(0) },
      { by: 'c', price: 0.3001, timestamp: at(1) },
      { by: 'large', price: 3_000_000_000_001, timestamp: at(1) },
      { by: 'Large', price: 3_000_000_000_000, timestamp: at(1) },
    ]
    const events = rows.map(({ timestamp, ...properties }) => makeEvent(here.projectId, { timestamp, properties }))
    await here.store.apply([makeBatch(1, { events })], NOON)
    for (const kind of ['sum', 'avg', 'max', 'median'] as const) {
      expect((await asked(here, kind, 2, 'by')).map(textOf)).toEqual(['large', 'Large', 'c', 'a', 'b'])
    }
  })
}

/** Trends against a model so simple that it can be trusted: whatever the events, people and question are. */
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { uuidV7 } from '../../../lib/ids.ts'
import { HOUR } from '../../../lib/time.ts'
import type { BreakdownValue, Measure, TrendLine, TrendQuestion } from '../../../model/insight-question.ts'
import type { OutboxBatch } from '../../../model/outbox.ts'
import { makeBatch, makeEvent, NOON } from '../../contract/made-batch.ts'
import { openDuckdbEvents } from '../events.ts'
import { LIMITS } from '../progress.ts'

/** Longer than a row holds. */
const LONG = 'x'.repeat(10_000)
const SESSIONS = [uuidV7(NOON), uuidV7(NOON + 1)]

interface Told {
  at: number
  event: string
  distinctId: string
  session: number | null
  color: string | null
  price: number | null
  isLong: boolean
}

/** Who owns an id from then on; the order of the list is that of `seq`. */
interface Owned {
  distinctId: string
  personId: number | null
}

const id = fc.constantFrom('a', 'b', 'c', 'd')
const told: fc.Arbitrary<Told> = fc.record({
  at: fc.integer({ min: -2, max: 30 }),
  event: fc.constantFrom('x', 'y'),
  distinctId: id,
  session: fc.option(fc.integer({ min: 0, max: 1 })),
  color: fc.option(fc.constantFrom('red', 'green', 'blue', '')),
  price: fc.option(fc.integer({ min: -5, max: 5 })),
  isLong: fc.boolean(),
})
const owned: fc.Arbitrary<Owned> = fc.record({ distinctId: id, personId: fc.option(fc.integer({ min: 1, max: 2 })) })
const measure: fc.Arbitrary<Measure> = fc.oneof(
  fc.constantFrom<Measure>({ kind: 'events' }, { kind: 'actors' }, { kind: 'first_actors' }, { kind: 'sessions' }),
  fc.record({ kind: fc.constant('active_actors' as const), spans: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ kind: fc.constantFrom('sum', 'avg', 'min', 'max', 'median'), property: fc.constant('price') }),
)
const asked = fc.record({
  event: fc.option(fc.constantFrom('x', 'y')),
  red: fc.boolean(),
  measure,
  lengths: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 3, maxLength: 5 }),
  limit: fc.option(fc.integer({ min: 1, max: 3 })),
})

interface Scene {
  events: Told[]
  owners: Owned[]
  asked: { event: string | null; red: boolean; measure: Measure; lengths: number[]; limit: number | null }
}

function batchesOf(projectId: number, { events, owners }: Scene): OutboxBatch[] {
  const rows = events.map(({ at, event, distinctId, session, color, price, isLong }) =>
    makeEvent(projectId, {
      event,
      distinctId,
      timestamp: NOON + at * HOUR,
      sessionId: session === null ? null : (SESSIONS[session] ?? null),
      properties: { color, price, ...(isLong ? { LONG } : {}) },
    }),
  )
  const people = owners.map((owner, place) => makeBatch(place + 2, { distinctIds: [{ projectId, ...owner }] }))
  // The order in which batches arrive does not matter.
  return [...people.reverse(), makeBatch(1, { events: rows })]
}

function questionOf(projectId: number, { asked }: Scene): TrendQuestion {
  const edges = [NOON]
  for (const length of asked.lengths) edges.push((edges.at(-1) ?? 0) + length * HOUR)
  return {
    projectId,
    selector: { event: asked.event, filter: asked.red ? { key: 'color', operator: 'exact', value: 'red' } : null },
    measure: asked.measure,
    edges,
    breakdown: asked.limit === null ? null : { of: 'event', key: 'color', limit: asked.limit },
  }
}

interface Cell {
  bucket: number
  actor: string
  told: Told
}

const median = (numbers: number[]): number => {
  const sorted = numbers.toSorted((a, b) => a - b)
  const [low, high] = [Math.floor((sorted.length - 1) / 2), Math.ceil((sorted.length - 1) / 2)]
  return ((sorted[low] ?? 0) + (sorted[high] ?? 0)) / 2
}

const NUMBERS: Record<string, (numbers: number[]) => number> = {
  sum: (numbers) => numbers.reduce((sum, value) => sum + value, 0),
  avg: (numbers) => numbers.reduce((sum, value) => sum + value, 0) / numbers.length,
  min: (numbers) => Math.min(...numbers),
  max: (numbers) => Math.max(...numbers),
  median,
}

function countIn(cells: Cell[], bucket: number, measure: Measure): number {
  const here = cells.filter((cell) => cell.bucket === bucket)
  const actors = (some: Cell[]) => new Set(some.map(({ actor }) => actor))
  switch (measure.kind) {
    case 'events':
      return here.length
    case 'actors':
      return actors(here).size
    case 'first_actors': {
      const before = actors(cells.filter((cell) => cell.bucket < bucket))
      return [...actors(here)].filter((actor) => !before.has(actor)).length
    }
    case 'active_actors':
      return actors(cells.filter((cell) => cell.bucket <= bucket && cell.bucket > bucket - measure.spans)).size
    case 'sessions':
      return new Set(here.map((cell) => cell.told.session).filter((session) => session !== null)).size
    default: {
      const numbers = here.map((cell) => cell.told.price).filter((price) => price !== null)
      return numbers.length === 0 ? 0 : (NUMBERS[measure.kind]?.(numbers) ?? 0)
    }
  }
}

function cellsOf({ events, owners, asked }: Scene, edges: number[]): Cell[] {
  const ownerOf = (distinctId: string) => owners.findLast((owner) => owner.distinctId === distinctId)?.personId
  return events.flatMap((one) => {
    const at = NOON + one.at * HOUR
    const bucket = edges.findLastIndex((edge) => at >= edge)
    const fits = (asked.event ?? one.event) === one.event && (!asked.red || one.color === 'red')
    if (!fits || bucket < 0 || bucket >= edges.length - 1) return []
    return [{ bucket, actor: String(ownerOf(one.distinctId) ?? one.distinctId), told: one }]
  })
}

const countsFor = (one: Cell, { kind }: Measure): boolean => {
  if (kind === 'sessions') return one.told.session !== null
  return kind in NUMBERS ? one.told.price !== null : true
}

/** The answer by going through all events, again and again. */
function expected(scene: Scene, { edges, measure, breakdown }: TrendQuestion): TrendLine[] {
  const cells = cellsOf(scene, edges).filter((cell) => countsFor(cell, measure))
  const skipped = measure.kind === 'active_actors' ? measure.spans - 1 : 0
  const intervals = edges.slice(1).map((_, bucket) => bucket)
  const lineOf = (some: Cell[]) => intervals.map((bucket) => countIn(some, bucket, measure)).slice(skipped)
  if (!breakdown) return [{ breakdown: null, values: lineOf(cells) }]
  const within = (test: (color: string | null) => boolean) => cells.filter((cell) => test(cell.told.color || null))
  const seen = (some: Cell[]) => {
    if (measure.kind !== 'active_actors') return some.length > 0
    return lineOf(some).some((value) => value > 0)
  }
  const colors = [...new Set(cells.map((cell) => cell.told.color || null))].filter((color) => color !== null)
  const ranked = colors
    .map((color) => ({ color, values: lineOf(within((other) => other === color)) }))
    .filter(({ color }) => seen(within((other) => other === color)))
    .map((line) => ({ ...line, total: line.values.reduce((sum, value) => sum + value, 0) }))
    .sort((a, b) => b.total - a.total || (a.color < b.color ? -1 : 1))
  const top = ranked.slice(0, breakdown.limit)
  const names = new Set<string | null>(top.map(({ color }) => color))
  const rest: [BreakdownValue, Cell[]][] = [
    [{ kind: 'none' }, within((color) => color === null)],
    [{ kind: 'other' }, within((color) => color !== null && !names.has(color))],
  ]
  return [
    ...top.map(({ color, values }) => ({ breakdown: { kind: 'value' as const, text: color }, values })),
    ...rest.filter(([, some]) => seen(some)).map(([kind, some]) => ({ breakdown: kind, values: lineOf(some) })),
  ]
}

const RUNS = process.env.SOAK ? 2_000 : 60

describe('trends of anything', async () => {
  const store = await openDuckdbEvents(':memory:', { ...LIMITS, pieceEvents: 3, runEvents: 7, foldRows: 3 })
  afterAll(() => store.close())
  let projectId = 0

  it('are what going through all events gives', { timeout: 600_000 }, async () => {
    const scenes = fc.record({
      events: fc.array(told, { maxLength: 12 }),
      owners: fc.array(owned, { maxLength: 5 }),
      asked,
    })
    await fc.assert(
      fc.asyncProperty(scenes, async (scene) => {
        projectId += 1
        for (const batch of batchesOf(projectId, scene)) await store.apply([batch], NOON)
        const question = questionOf(projectId, scene)
        const answer = await store.trend(question)
        const rounded = (lines: TrendLine[]) =>
          lines.map((line) => ({ ...line, values: line.values.map((value) => Number(value.toFixed(9)) + 0) }))
        expect(rounded(answer)).toEqual(rounded(expected(scene, question)))
      }),
      { numRuns: RUNS },
    )
  })
})

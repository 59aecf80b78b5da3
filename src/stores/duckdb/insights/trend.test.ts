/**
 * Property-based test of trends against the oracle: random small sets of events, people and questions, shrunk on
 * failure.
 */
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { trendOf } from '../../../../test/oracle/trend.ts'
import type { World, WorldPerson } from '../../../../test/oracle/world.ts'
import { uuidV7 } from '../../../lib/ids.ts'
import { HOUR } from '../../../lib/time/time.ts'
import type { OutboxBatch } from '../../../model/events/outbox.ts'
import type { Measure, TrendQuestion } from '../../../model/insights/insight-question.ts'
import { makeBatch, makeEvent, NOON } from '../../contract/batch-builders.ts'
import { closenessOf, expectSame } from '../../contract/same-answer.ts'
import { openDuckdbEvents } from '../events.ts'
import { LIMITS } from '../progress.ts'

/** Longer than a row holds. */
const LONG = 'x'.repeat(10_000)
const SESSIONS = [uuidV7(NOON), uuidV7(NOON + 1)]

interface TestEvent {
  at: number
  event: string
  distinctId: string
  session: number | null
  color: string | null
  price: number | null
  isLong: boolean
}

/** The owner of an id from then on; the list is in order of `seq`. */
interface TestOwner {
  distinctId: string
  personId: number | null
}

const id = fc.constantFrom('a', 'b', 'c', 'd')
const anyEvent: fc.Arbitrary<TestEvent> = fc.record({
  at: fc.integer({ min: -2, max: 30 }),
  event: fc.constantFrom('x', 'y'),
  distinctId: id,
  session: fc.option(fc.integer({ min: 0, max: 1 })),
  color: fc.option(fc.constantFrom('red', 'green', 'blue', '')),
  price: fc.option(fc.integer({ min: -5, max: 5 })),
  isLong: fc.boolean(),
})
const anyOwner: fc.Arbitrary<TestOwner> = fc.record({
  distinctId: id,
  personId: fc.option(fc.integer({ min: 1, max: 2 })),
})
const measure: fc.Arbitrary<Measure> = fc.oneof(
  fc.constantFrom<Measure>({ kind: 'events' }, { kind: 'actors' }, { kind: 'first_actors' }, { kind: 'sessions' }),
  fc.record({ kind: fc.constant('active_actors' as const), spans: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ kind: fc.constantFrom('sum', 'avg', 'min', 'max', 'median'), property: fc.constant('price') }),
)
const anyQuestion = fc.record({
  event: fc.option(fc.constantFrom('x', 'y')),
  red: fc.boolean(),
  measure,
  lengths: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 3, maxLength: 5 }),
  limit: fc.option(fc.integer({ min: 1, max: 3 })),
})

interface Scene {
  events: TestEvent[]
  owners: TestOwner[]
  anyQuestion: { event: string | null; red: boolean; measure: Measure; lengths: number[]; limit: number | null }
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

function predicateOf(projectId: number, { anyQuestion }: Scene): TrendQuestion {
  const edges = [NOON]
  for (const length of anyQuestion.lengths) edges.push((edges.at(-1) ?? 0) + length * HOUR)
  return {
    projectId,
    selector: {
      event: anyQuestion.event,
      filter: anyQuestion.red ? { key: 'color', operator: 'exact', value: 'red' } : null,
    },
    measure: anyQuestion.measure,
    edges,
    breakdown: anyQuestion.limit === null ? null : { of: 'event', key: 'color', limit: anyQuestion.limit },
  }
}

/** The same for the oracle. */
function worldOf({ events, owners }: Scene): World {
  const owner = new Map<string, WorldPerson>()
  for (const { distinctId, personId } of owners) {
    if (personId === null) owner.delete(distinctId)
    else owner.set(distinctId, { id: personId, createdAt: 0, properties: {} })
  }
  const rows = events.map(({ at, event, distinctId, session, color, price }, place) => ({
    uuid: String(place),
    event,
    distinctId,
    at: NOON + at * HOUR,
    sessionId: session === null ? null : (SESSIONS[session] ?? null),
    properties: { color, price },
  }))
  return { events: rows.sort((a, b) => a.at - b.at), owners: owner }
}

const RUNS = process.env.SOAK ? 2_000 : 60

describe('trends of anything', async () => {
  const store = await openDuckdbEvents(':memory:', { ...LIMITS, pieceEvents: 3, runEvents: 7, foldRows: 3 })
  afterAll(() => store.close())
  let projectId = 0

  it('equal a plain computation over all events', async () => {
    const scenes = fc.record({
      events: fc.array(anyEvent, { maxLength: 12 }),
      owners: fc.array(anyOwner, { maxLength: 5 }),
      anyQuestion,
    })
    await fc.assert(
      fc.asyncProperty(scenes, async (scene) => {
        projectId += 1
        for (const batch of batchesOf(projectId, scene)) await store.apply([batch], NOON)
        const question = predicateOf(projectId, scene)
        const answer = await store.trend(question)
        expectSame(answer, trendOf(worldOf(scene), question), question, closenessOf(question.measure.kind))
      }),
      { numRuns: RUNS },
    )
  })
})

it('counts actives of many values over many intervals within little memory', async () => {
  const store = await openDuckdbEvents(':memory:')
  const [values, intervals] = [5_000, 2_000]
  const events = Array.from({ length: values }, (_, i) =>
    makeEvent(1, { distinctId: `id-${i}`, timestamp: NOON + (i % intervals) * HOUR, properties: { value: `v${i}` } }),
  )
  await store.apply([makeBatch(1, { events })], NOON)
  const lines = await store.trend({
    projectId: 1,
    selector: { event: null, filter: null },
    edges: Array.from({ length: intervals + 1 }, (_, i) => NOON + i * HOUR),
    measure: { kind: 'active_actors', spans: 3 },
    breakdown: { of: 'event', key: 'value', limit: 1 },
  })
  await store.close()
  expect(lines.map(({ breakdown }) => breakdown?.kind)).toEqual(['value', 'other'])
  const total = lines.reduce((sum, line) => sum + line.values.reduce((all, value) => all + value, 0), 0)
  // Three intervals each, fewer at both ends: the first two intervals are context.
  const shown = events
    .map(({ timestamp }) => (timestamp - NOON) / HOUR)
    .map((at) => Math.min(at + 3, intervals) - Math.max(at, 2))
  expect(total).toBe(shown.reduce((sum, count) => sum + count, 0))
})

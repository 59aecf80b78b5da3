/**
 * Funnels, retention and lifecycles where order decides: thousands of actors whose events fall on a few instants, steps
 * that one event matches several of, windows of a few milliseconds, batches that arrive in another order than they were
 * made.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { createRandom, type Random } from '../../src/demo/seeded-random.ts'
import { uuidV7 } from '../../src/lib/ids.ts'
import type { EventStore } from '../../src/model/events/event.ts'
import type { EventSelector, FunnelQuestion } from '../../src/model/insights/insight-question.ts'
import { makeBatch, makePerson } from '../../src/stores/contract/batch-builders.ts'
import { expectSame } from '../../src/stores/contract/same-answer.ts'
import { openDuckdbEvents } from '../../src/stores/duckdb/events.ts'
import { LIMITS } from '../../src/stores/duckdb/progress.ts'
import { funnelOf } from './funnel.ts'
import { lifecycleOf, retentionOf } from './presence.ts'

import { SEED, seedText } from './seed.ts'
import type { World, WorldEvent, WorldPerson } from './world.ts'

const BEGIN = Date.UTC(2026, 0, 28)
const INSTANTS = 24
const NAMES = ['a', 'b', 'c']
const IDS = 6_000
const BATCHES = 12
const EVENTS_PER_BATCH = 3_000
const SMALL = { ...LIMITS, pieceEvents: 5_000, runEvents: 12_000, foldRows: 1_000 }

/** Every second id belongs to somebody, and people have up to three. */
function ownersOf(random: Random): Map<string, WorldPerson> {
  const people = Array.from({ length: IDS / 4 }, (_, place) => ({
    id: place + 1,
    createdAt: BEGIN + random.between(-INSTANTS, INSTANTS),
    properties: {},
  }))
  const owned = Array.from({ length: IDS / 2 }, (_, place): [string, WorldPerson] => [
    `id ${place * 2}`,
    random.pick(people),
  ])
  return new Map(owned)
}

const eventOf = (random: Random): WorldEvent => ({
  uuid: uuidV7(BEGIN),
  event: random.pick(NAMES),
  distinctId: `id ${random.between(0, IDS - 1)}`,
  at: BEGIN + random.between(0, INSTANTS - 1),
  sessionId: null,
  properties: { color: random.pick(['red', 'blue', 'green', null]) },
})

const selectorOf = (random: Random): EventSelector => ({
  event: random.pick([...NAMES, ...NAMES, null]),
  filter: random.next() < 0.8 ? null : { key: 'color', operator: 'is_not', value: 'red' },
})

function funnelQuestion(random: Random): FunnelQuestion {
  const from = BEGIN + random.between(0, 3)
  return {
    projectId: 1,
    steps: Array.from({ length: random.between(2, 6) }, () => selectorOf(random)),
    from,
    to: BEGIN + random.between(INSTANTS / 2, INSTANTS),
    windowMs: random.between(0, 12),
    breakdown: random.next() < 0.6 ? null : { of: 'event', key: 'color', limit: random.between(1, 3) },
  }
}

/** Intervals of a few milliseconds, after some events and before others. */
function edgesOf(random: Random): number[] {
  const edges = [BEGIN + random.between(0, 4)]
  for (let count = random.between(2, 8); count > 0; count--) edges.push((edges.at(-1) as number) + random.between(1, 3))
  return edges
}

describe(`the event store keeps the order of a crowd (${seedText})`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'hedgerow-crowd-'))
  const random = createRandom(SEED)
  const owners = ownersOf(random)
  const made = Array.from({ length: BATCHES }, () => Array.from({ length: EVENTS_PER_BATCH }, () => eventOf(random)))
  const world: World = { events: made.flat().toSorted((a, b) => a.at - b.at), owners }
  let store: EventStore
  beforeAll(async () => {
    store = await openDuckdbEvents(join(folder, 'events.duckdb'), SMALL)
    const persons = [...new Set(owners.values())].map(({ id: personId, createdAt }) =>
      makePerson(1, { personId, createdAt }),
    )
    const distinctIds = [...owners].map(([distinctId, { id: personId }]) => ({ projectId: 1, distinctId, personId }))
    await store.apply([makeBatch(BATCHES + 1, { persons, distinctIds })], BEGIN)
    for (const [place, own] of [...made.entries()].toReversed()) {
      const events = own.map(({ at: timestamp, ...event }) => ({ projectId: 1, timestamp, ...event }))
      await store.apply([makeBatch(place + 1, { events })], BEGIN)
    }
  })
  afterAll(async () => {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('in funnels', async () => {
    for (let count = 0; count < 20; count++) {
      const question = funnelQuestion(random)
      expectSame(await store.funnel(question), funnelOf(world, question), question)
    }
  })

  it('in retention, from the first time or each', async () => {
    for (let count = 0; count < 12; count++) {
      const [target, returning] = [selectorOf(random), selectorOf(random)]
      const question = { projectId: 1, target, returning, firstTime: count % 2 === 0, edges: edgesOf(random) }
      expectSame(await store.retention(question), retentionOf(world, question), question)
    }
  })

  it('in lifecycles', async () => {
    for (let count = 0; count < 8; count++) {
      const question = { projectId: 1, selector: selectorOf(random), edges: edgesOf(random) }
      expectSame(await store.lifecycle(question), lifecycleOf(world, question), question)
    }
  })
})

/**
 * Every kind of insight against the oracle: thousands of people, tens of thousands of events, merges and splits in any
 * order; the event store's answers equal those of going through lists.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { createRandom } from '../../src/demo/seeded-random.ts'
import type { EventStore } from '../../src/model/events/event.ts'
import { closenessOf, expectSame } from '../../src/stores/contract/same-answer.ts'
import { openDuckdbEvents } from '../../src/stores/duckdb/events.ts'
import { LIMITS } from '../../src/stores/duckdb/progress.ts'
import { writeContent } from '../../src/stores/outbox/batch-text.ts'
import { funnelOf } from './funnel.ts'
import { funnelQuestions, lifecycleQuestions, retentionQuestions, trendQuestions } from './make-questions.ts'
import { makeWorld } from './make-world.ts'
import { lifecycleOf, retentionOf } from './presence.ts'
import { SEED, seedText } from './seed.ts'
import { trendOf } from './trend.ts'

const SIZE = { persons: 4_000, events: 40_000, batches: 40 }
/** So small that people are folded and events are sorted several times. */
const SMALL = { ...LIMITS, pieceEvents: 5_000, runEvents: 12_000, foldRows: 3_000 }

describe(`the event store answers as the oracle does (${seedText})`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'hedgerow-oracle-'))
  const { world, batches } = makeWorld(SEED, SIZE)
  const random = createRandom(SEED + 1)
  let store: EventStore
  beforeAll(async () => {
    store = await openDuckdbEvents(join(folder, 'events.duckdb'), SMALL)
    for (const { id, seq, ...content } of batches) await store.apply([{ id, seq, text: writeContent(content) }], 0)
  })
  afterAll(async () => {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('of trends', async () => {
    for (const question of trendQuestions(random)) {
      expectSame(await store.trend(question), trendOf(world, question), question, closenessOf(question.measure.kind))
    }
  })

  it('of funnels', async () => {
    for (const question of funnelQuestions(random, 16)) {
      expectSame(await store.funnel(question), funnelOf(world, question), question)
    }
  })

  it('of retention', async () => {
    for (const question of retentionQuestions(random, 12)) {
      expectSame(await store.retention(question), retentionOf(world, question), question)
    }
  })

  it('of lifecycles', async () => {
    for (const question of lifecycleQuestions(random, 12)) {
      expectSame(await store.lifecycle(question), lifecycleOf(world, question), question)
    }
  })
})

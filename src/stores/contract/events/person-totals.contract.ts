/** What every EventStore must count of one person's events. */
import { expect, it } from 'vitest'
import { uuidV7 } from '../../../lib/ids.ts'
import type { OutboxEvent } from '../../../model/events/outbox.ts'
import { applyEvents, NOON, newErasureId, type Opened } from '../batch-builders.ts'

/** Numbers from 0 to 1 that are the same in every run. */
function sequence(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

function totalsOf(events: OutboxEvent[], ids: string[]) {
  const own = events.filter(({ distinctId }) => ids.includes(distinctId))
  const times = own.map(({ timestamp }) => timestamp).sort((a, b) => a - b)
  return {
    events: own.length,
    sessions: new Set(own.flatMap(({ sessionId }) => sessionId ?? [])).size,
    firstAt: times[0] ?? null,
    lastAt: times.at(-1) ?? null,
  }
}

export function personTotals(opened: () => Opened): void {
  it('are those of a plain count over thousands of events, whichever ids are asked for', async () => {
    const here = opened()
    const random = sequence(7)
    const pick = (count: number) => Math.floor(random() * count)
    const sessions = Array.from({ length: 300 }, (_, i) => uuidV7(NOON + i))
    const all: OutboxEvent[] = []
    for (let seq = 1; seq <= 4; seq++) {
      const some = Array.from({ length: 1_000 }, () => ({
        distinctId: `id-${pick(80)}`,
        event: ['$pageview', 'bought', "it's"][pick(3)] as string,
        // Years apart, to the microsecond, before the epoch too.
        timestamp: NOON - pick(2_000_000_000) * 1_000 + pick(1_000) / 1_000,
        sessionId: random() < 0.7 ? (sessions[pick(300)] as string) : null,
      }))
      all.push(...(await applyEvents(here, some, seq)))
    }
    for (const count of [1, 2, 7, 80]) {
      const ids = Array.from({ length: count }, (_, i) => `id-${i}`)
      expect(await here.store.personTotals(here.projectId, [...ids, 'nobody', 'id-0'])).toEqual(totalsOf(all, ids))
    }
  })

  it('are of the project and of ids as they are spelled', async () => {
    const here = opened()
    const sessionId = uuidV7(NOON)
    await applyEvents(here, [{ sessionId }, { distinctId: 'Ann', sessionId }, { distinctId: 'ann ' }])
    const none = { events: 0, sessions: 0, firstAt: null, lastAt: null }
    const one = { events: 1, sessions: 1, firstAt: NOON, lastAt: NOON }
    const { store, projectId } = here
    expect(await store.personTotals(projectId, ['ann'])).toEqual(one)
    expect(await store.personTotals(projectId, ['ann', 'Ann'])).toEqual({ ...one, events: 2 })
    expect(await store.personTotals(projectId + 1, ['ann'])).toEqual(none)
    expect(await store.personTotals(projectId, ['nobody'])).toEqual(none)
    expect(await store.personTotals(projectId, [])).toEqual(none)
  })

  it('have no events that were erased', async () => {
    const here = opened()
    const { store, projectId } = here
    await applyEvents(here, [{ sessionId: uuidV7(NOON) }, { sessionId: uuidV7(NOON) }], 1)
    await applyEvents(here, [{ timestamp: NOON + 1 }], 2)
    await store.erase([{ id: newErasureId(), projectId, personId: 1, distinctIds: ['ann'], cutoffSeq: 1 }])
    const left = { events: 1, sessions: 0, firstAt: NOON + 1, lastAt: NOON + 1 }
    expect(await store.personTotals(projectId, ['ann'])).toEqual(left)
  })
}

/** What every EventStore must count of one person's events. */
import { expect, it } from 'vitest'
import { uuidV7 } from '../../../lib/ids.ts'
import { DAY } from '../../../lib/time/time.ts'
import type { OutboxEvent } from '../../../model/events/outbox.ts'
import { applyEvents, NOON, newErasureId, type Opened } from '../batch-builders.ts'
import { randomOf } from '../people-world.ts'

/** The last is before the epoch. */
const MONTHS_BEFORE = [1, 2, 30, 900]

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
    const pick = randomOf(7)
    const sessions = Array.from({ length: 300 }, (_, i) => uuidV7(NOON + i))
    const all: OutboxEvent[] = []
    for (let seq = 1; seq <= 4; seq++) {
      const some = Array.from({ length: 1_000 }, () => ({
        distinctId: `id-${pick(80)}`,
        event: ['$pageview', 'bought', "it's"][pick(3)] as string,
        // To the microsecond, and years apart: in few months, as ClickHouse has a part of its tables for each.
        timestamp: NOON - (MONTHS_BEFORE[pick(4)] as number) * 30 * DAY + pick(20 * DAY) + pick(1_000) / 1_000,
        sessionId: pick(10) < 7 ? (sessions[pick(300)] as string) : null,
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

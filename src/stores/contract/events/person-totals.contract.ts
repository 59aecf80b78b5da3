/** What every EventStore must count of one person's events, together and by distinct id. */
import { expect, it } from 'vitest'
import { uuidV7 } from '../../../lib/ids.ts'
import { DAY } from '../../../lib/time/time.ts'
import type { DistinctIdEvents } from '../../../model/events/event.ts'
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

const sortById = (found: DistinctIdEvents[]): DistinctIdEvents[] =>
  found.sort((a, b) => (a.distinctId < b.distinctId ? -1 : 1))

/** Of the ids that have any. */
function byIdOf(events: OutboxEvent[], ids: string[]): DistinctIdEvents[] {
  const counts = new Map<string, number>()
  for (const { distinctId } of events) counts.set(distinctId, (counts.get(distinctId) ?? 0) + 1)
  return sortById(
    [...new Set(ids)].flatMap((distinctId) => {
      const count = counts.get(distinctId)
      return count === undefined ? [] : [{ distinctId, events: count }]
    }),
  )
}

const countById = async ({ store, projectId }: Opened, ids: string[], project = projectId) =>
  sortById(await store.eventsByDistinctId(project, ids))

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
      const ids = [...Array.from({ length: count }, (_, i) => `id-${i}`), 'nobody', 'id-0']
      expect(await here.store.personTotals(here.projectId, ids)).toEqual(totalsOf(all, ids))
      expect(await countById(here, ids)).toEqual(byIdOf(all, ids))
    }
    const many = Array.from({ length: 10_000 }, (_, i) => `id-${i}`)
    expect(await countById(here, many)).toEqual(byIdOf(all, many))
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
    const spelled = ['ann', 'Ann', 'ann ', "it's", '\\', 'ünï', '{"a": 1}']
    await applyEvents(
      here,
      spelled.slice(3).map((distinctId) => ({ distinctId })),
      2,
    )
    const each = spelled.map((distinctId) => ({ distinctId, events: 1 }))
    expect(await countById(here, ['ANN', ...spelled, ' ann'])).toEqual(sortById(each))
    expect(await countById(here, ['Ann'])).toEqual([{ distinctId: 'Ann', events: 1 }])
    expect(await countById(here, spelled, projectId + 1)).toEqual([])
    expect(await countById(here, ['nobody'])).toEqual([])
    expect(await countById(here, [])).toEqual([])
  })

  it('have no events that were erased', async () => {
    const here = opened()
    const { store, projectId } = here
    await applyEvents(here, [{ sessionId: uuidV7(NOON) }, { sessionId: uuidV7(NOON) }], 1)
    await applyEvents(here, [{ timestamp: NOON + 1 }, { distinctId: 'bob' }], 2)
    expect(await countById(here, ['ann', 'bob'])).toEqual([
      { distinctId: 'ann', events: 3 },
      { distinctId: 'bob', events: 1 },
    ])
    await store.erase([{ id: newErasureId(), projectId, personId: 1, distinctIds: ['ann'], cutoffSeq: 1 }])
    const left = { events: 1, sessions: 0, firstAt: NOON + 1, lastAt: NOON + 1 }
    expect(await store.personTotals(projectId, ['ann'])).toEqual(left)
    expect(await countById(here, ['ann'])).toEqual([{ distinctId: 'ann', events: 1 }])
  })
}

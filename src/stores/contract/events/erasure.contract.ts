/** Removing events permanently: what was requested, no more, counted once. */
import { expect, it } from 'vitest'
import { uuidV7 } from '../../../lib/ids.ts'
import type { ErasureRequest } from '../../../model/events/erasure.ts'
import {
  ANY_EVENT,
  EVER,
  makeBatch,
  makeEvent,
  makePerson,
  NOON,
  newErasureId,
  type Opened,
  timesOf,
} from '../batch-builders.ts'
import { countEvents } from '../count-events.ts'

export function erasing(opened: () => Opened): void {
  const request = ({ projectId }: Opened, given: Partial<ErasureRequest> = {}): ErasureRequest => ({
    id: newErasureId(),
    projectId,
    personId: 1,
    distinctIds: ['ann'],
    cutoffSeq: 1_000,
    ...given,
  })
  const session = () => uuidV7(NOON)

  it('erases events up to the cut-off, and none of other persons', async () => {
    const here = opened()
    const other = here.projectId + 100_000
    const batches = [1, 2, 3].map((seq) =>
      makeBatch(seq, {
        events: [
          makeEvent(here.projectId, { timestamp: seq }),
          makeEvent(here.projectId, { timestamp: seq, distinctId: 'ann-2' }),
          makeEvent(here.projectId, { timestamp: seq, distinctId: 'bob' }),
          makeEvent(other, { timestamp: seq }),
        ],
      }),
    )
    await here.store.apply(batches, NOON)
    const asked = request(here, { distinctIds: ['ann', 'ann-2', 'nobody', 'ann'], cutoffSeq: 2 })
    expect(await here.store.erase([asked])).toEqual([{ id: asked.id, events: 4, sessions: 0 }])
    expect(await timesOf(here, 'ann')).toEqual([3])
    expect(await timesOf(here, 'ann-2')).toEqual([3])
    expect(await timesOf(here, 'bob')).toEqual([1, 2, 3])
    expect(await countEvents(here.store, here.projectId)).toBe(5)
    expect(await countEvents(here.store, other)).toBe(3)
    await here.store.removeProject(other)
  })

  it('removes events from before an instant, and nothing of another project', async () => {
    const here = opened()
    const other = here.projectId + 100_000
    const long = { text: 'x'.repeat(50_000) }
    const events = [1, 2, 3].flatMap((timestamp) => [
      makeEvent(here.projectId, { timestamp, properties: long }),
      makeEvent(other, { timestamp }),
    ])
    await here.store.apply([makeBatch(1, { events })], NOON)
    expect(await here.store.removeBefore(here.projectId, 3)).toBe(2)
    expect(await here.store.removeBefore(here.projectId, 3)).toBe(0)
    expect(await timesOf(here, 'ann')).toEqual([3])
    expect([await countEvents(here.store, here.projectId), await countEvents(here.store, other)]).toEqual([1, 3])
    await here.store.removeProject(other)
  })

  it('returns the same counts when repeated, and more only when more was requested', async () => {
    const here = opened()
    const visit = session()
    const events = (timestamp: number) => [makeEvent(here.projectId, { timestamp, sessionId: visit })]
    await here.store.apply([makeBatch(1, { events: events(1) }), makeBatch(2, { events: events(2) })], NOON)
    const asked = request(here, { cutoffSeq: 1 })
    const first = { id: asked.id, events: 1, sessions: 0 }
    expect(await here.store.erase([asked])).toEqual([first])
    expect(await here.store.erase([asked])).toEqual([first])
    const raised = { id: asked.id, events: 2, sessions: 1 }
    expect(await here.store.erase([{ ...asked, cutoffSeq: 2 }])).toEqual([raised])
    await here.store.forgetErased([asked.id])
    expect(await here.store.erase([asked])).toEqual([raised])
    await here.store.forgetErased([])
    expect(await here.store.erase([asked])).toEqual([{ id: asked.id, events: 0, sessions: 0 }])
  })

  it('counts each event and each session once, for the first request', async () => {
    const here = opened()
    const [shared, own, kept] = [session(), session(), session()]
    const event = (distinctId: string, sessionId: string | null) => makeEvent(here.projectId, { distinctId, sessionId })
    await here.store.apply(
      [
        makeBatch(1, { events: [event('ann', shared), event('bob', shared), event('ann', kept), event('cy', kept)] }),
        makeBatch(2, { events: [event('ann', own), event('ann', null)] }),
        makeBatch(3, { events: [event('ann', own)] }),
      ],
      NOON,
    )
    const late = request(here, { cutoffSeq: 3 })
    const early = request(here, { cutoffSeq: 1 })
    const bob = request(here, { distinctIds: ['bob'], personId: 2 })
    expect(await here.store.erase([late, early, bob])).toEqual([
      { id: late.id, events: 3, sessions: 1 },
      { id: early.id, events: 2, sessions: 1 },
      { id: bob.id, events: 1, sessions: 0 },
    ])
    expect(await countEvents(here.store, here.projectId)).toBe(1)
    expect(await here.store.erase([])).toEqual([])
  })

  it('erases long properties, and the values of a session', async () => {
    const here = opened()
    const sessionId = session()
    const properties = { text: 'long '.repeat(10_000), $current_url: 'https://secret.example.com/' }
    await here.store.apply([makeBatch(1, { events: [makeEvent(here.projectId, { sessionId, properties })] })], NOON)
    expect((await here.store.erase([request(here)])).map((row) => row.sessions)).toEqual([1])
    expect(await here.store.sessionEvents(here.projectId, sessionId, [ANY_EVENT])).toEqual([])
    const values = { projectId: here.projectId, keys: ['$entry_hostname'], search: null, limit: 10 }
    expect(await here.store.sessionValues(values)).toEqual([])
    const page = await here.store.listEvents(here.projectId, {}, { limit: 10 })
    expect(page.events).toEqual([])
  })

  it('removes a person that was deleted by then, and keeps one that stays or came back', async () => {
    const here = opened()
    const { projectId, store } = here
    const mapping = (distinctId: string, personId: number | null) => ({ projectId, distinctId, personId })
    const person = (personId: number, deleted = false) => makePerson(projectId, { personId, deleted })
    await store.apply(
      [
        makeBatch(1, {
          persons: [person(1), person(2), person(3)],
          distinctIds: [mapping('ann', 1), mapping('bob', 2), mapping('cy', 3)],
        }),
        makeBatch(2, {
          persons: [person(1, true), person(3, true)],
          distinctIds: [mapping('ann', null), mapping('cy', null)],
        }),
        makeBatch(3, { persons: [person(4)], distinctIds: [mapping('cy', 4)] }),
      ],
      NOON,
    )
    await store.erase([
      request(here, { personId: 1, cutoffSeq: 2 }),
      request(here, { personId: 2, distinctIds: ['bob'], cutoffSeq: 2 }),
      request(here, { personId: 3, distinctIds: ['cy'], cutoffSeq: 2 }),
    ])
    const owner = async (id: string) => (await store.personOf(projectId, id))?.personId ?? null
    expect([await owner('ann'), await owner('bob'), await owner('cy')]).toEqual([null, 2, 4])
  })

  it('goes on storing and finding events afterwards', async () => {
    const here = opened()
    const add = (seq: number) =>
      here.store.apply(
        [makeBatch(seq, { events: [1, 2, 3].map((n) => makeEvent(here.projectId, { timestamp: seq * 10 + n })) })],
        NOON,
      )
    for (const seq of [1, 2, 3]) await add(seq)
    await here.store.erase([request(here, { cutoffSeq: 2 })])
    for (const seq of [4, 5, 6]) await add(seq)
    const left = [3, 4, 5, 6].flatMap((seq) => [1, 2, 3].map((n) => seq * 10 + n))
    expect(await timesOf(here, 'ann')).toEqual(left)
    const query = { projectId: here.projectId, distinctIds: ['ann'], events: null, ...EVER }
    expect((await here.store.timeline(query)).length).toBe(left.length)
    await here.store.compact()
    expect(await timesOf(here, 'ann')).toEqual(left)
  })
}

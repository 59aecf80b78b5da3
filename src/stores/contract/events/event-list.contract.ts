/** What an EventStore must do when its events are listed: order, exact pages, and every filter. */
import { beforeAll, describe, expect, it } from 'vitest'
import { uuidV7 } from '../../../lib/ids.ts'
import { SECOND } from '../../../lib/time/time.ts'
import type { EventFilter, EventPageRequest, ListedEvent } from '../../../model/events/event.ts'
import type { PropertyCondition, PropertyFilter } from '../../../model/persons/person.ts'
import { applyEvents, makeBatch, makeEvent, makePerson, NOON, type Opened } from '../batch-builders.ts'
import { propertyFilterCases, type SeededFilterCase, type SuiteLength } from '../property-filter-cases.ts'

/** Longer than any store keeps in a row. */
const LONG = 'lang é"\\👩 '.repeat(3_000)

const names = (events: ListedEvent[]) => events.map(({ event }) => event)

const list = async ({ store, projectId }: Opened, filter: EventFilter = {}, limit = 1_000) =>
  (await store.listEvents(projectId, filter, { limit })).events

type From = NonNullable<EventPageRequest['from']>

/** Beyond this event, in this direction. */
const beyond = ({ timestamp, seq, place }: ListedEvent, direction: From['direction']): From => ({
  position: { timestamp, seq, place },
  direction,
})

/** More pages than any test has: a store that loops fails instead of running on. */
const MAX_PAGES = 100

/** All pages from the newest on, or back again from `from`, each as it was returned. */
async function walk({ store, projectId }: Opened, limit: number, first?: From, filter: EventFilter = {}) {
  const direction = first?.direction ?? 'older'
  const pages: ListedEvent[][] = []
  let from = first
  while (pages.length < MAX_PAGES) {
    const { events, more } = await store.listEvents(projectId, filter, { limit, ...(from ? { from } : {}) })
    pages.push(events)
    const edge = direction === 'older' ? events.at(-1) : events[0]
    if (!more || !edge) return pages
    from = beyond(edge, direction)
  }
  throw new Error('The pages do not come to an end.')
}

function ordering(opened: () => Opened): void {
  it('returns events as they were stored, newest first', async () => {
    const here = opened()
    const properties = JSON.parse(
      '{"__proto__": {"a": 1}, "n": null, "x": 1.5, "e": [], "t": "\\u2028é\\"", "deep": [[{"x": {}}]], "big": 1e21}',
    )
    const sessionId = uuidV7(NOON)
    const given = [
      { event: 'a', timestamp: NOON + 0.001, properties, sessionId },
      { event: 'b', timestamp: NOON + 0.002, distinctId: '日本 "x"', properties: { LONG } },
      { event: 'c', timestamp: -62_135_596_800_000, properties: {} },
    ]
    const [a, b, c] = await applyEvents(here, given, 7)
    const listed = await list(here)
    expect(listed.map(({ place: _, ...event }) => event)).toEqual([b, a, c].map((event) => ({ ...event, seq: 7 })))
    expect(JSON.stringify(listed[1]?.properties)).toBe(JSON.stringify(properties))
  })

  it('orders events of one instant by seq, then by the place in the batch, the last first', async () => {
    const here = opened()
    await applyEvents(here, [{ event: '2a' }, { event: '2b' }], 2)
    await applyEvents(here, [{ event: '1a' }, { event: '1b' }], 1)
    await applyEvents(here, [{ event: '3a', timestamp: NOON - 1 }], 3)
    expect(names(await list(here))).toEqual(['2b', '2a', '1b', '1a', '3a'])
  })

  it('finds an event by its uuid, the newest of several, and none of another project', async () => {
    const here = opened()
    const { store, projectId } = here
    const uuid = uuidV7(NOON)
    const properties = { LONG, n: null }
    await applyEvents(here, [{ uuid, event: 'new', timestamp: NOON + 1, properties }, { uuid, event: 'old' }, {}])
    expect(await store.findEvent(projectId, uuid)).toMatchObject({ uuid, event: 'new', projectId, properties })
    expect(await store.findEvent(projectId + 100_000, uuid)).toBeNull()
    expect(await store.findEvent(projectId, uuidV7(NOON))).toBeNull()
    expect(await store.findEvent(projectId, "' OR true --")).toBeNull()
  })
}

const PAGE_SIZES: Record<SuiteLength, number[]> = { full: [1, 3, 7, 20, 21], short: [3, 20, 21] }

function paging(opened: () => Opened, length: SuiteLength): void {
  /** Twenty events over a year, several at the same instant, in batches in random order. */
  async function filled(): Promise<Opened> {
    const here = opened()
    for (const seq of [3, 1, 4, 2, 5]) {
      const at = (place: number) => NOON - ((seq * 7 + place * 5) % 6) ** 6 * 700_000
      await applyEvents(
        here,
        [0, 1, 2, 3].map((place) => ({ event: `${seq}/${place}`, timestamp: at(place) })),
        seq,
      )
    }
    return here
  }

  describe('of a project that stays as it is', () => {
    let here: Opened
    beforeAll(async () => {
      here = await filled()
    })

    it.each(PAGE_SIZES[length])('walks all of them once in pages of %i, forwards and backwards', async (limit) => {
      const all = names(await list(here))
      expect(new Set(all).size).toBe(20)
      const older = await walk(here, limit)
      expect(older.flatMap(names)).toEqual(all)
      expect(older.slice(0, -1).every((page) => page.length === limit)).toBe(true)
      const last = older.at(-1)?.at(-1) as ListedEvent
      const newer = await walk(here, limit, beyond(last, 'newer'))
      expect(newer.reverse().flatMap(names)).toEqual(all.slice(0, -1))
    })

    it('says whether there are more', async () => {
      const { store, projectId } = here
      const more = async (request: EventPageRequest) => (await store.listEvents(projectId, {}, request)).more
      expect(await more({ limit: 19 })).toBe(true)
      expect(await more({ limit: 20 })).toBe(false)
      const { events } = await store.listEvents(projectId, {}, { limit: 20 })
      const [first, second] = events as [ListedEvent, ListedEvent]
      expect(await more({ limit: 1, from: beyond(first, 'newer') })).toBe(false)
      expect(await more({ limit: 1, from: beyond(second, 'newer') })).toBe(false)
      expect(await more({ limit: 18, from: beyond(first, 'older') })).toBe(true)
      expect(await more({ limit: 19, from: beyond(first, 'older') })).toBe(false)
    })
  })

  it('neither shifts nor repeats when events come in between', async () => {
    const here = await filled()
    const before = names(await list(here))
    const first = await list(here, {}, 5)
    await applyEvents(here, [{ event: 'newer', timestamp: NOON + 1 }, { event: 'same' }], 9)
    const rest = await walk(here, 5, beyond(first.at(-1) as ListedEvent, 'older'))
    expect([...names(first), ...rest.flatMap(names)]).toEqual(before)
    const back = await walk(here, 5, beyond(rest[0]?.[0] as ListedEvent, 'newer'))
    expect(back.reverse().flatMap(names)).toEqual(['newer', 'same', ...names(first)])
  })

  it('ends a page early where events are very large, and loses none', async () => {
    const here = opened()
    const long = 'x'.repeat(990_000)
    const events = Array.from({ length: 40 }, (_, i) => ({ event: `${i}`, timestamp: i, properties: { long } }))
    await applyEvents(here, events)
    const pages = await walk(here, 100)
    expect(pages.length).toBeGreaterThan(1)
    expect(pages.every((page) => page.length > 0)).toBe(true)
    expect(pages.flatMap(names)).toEqual(events.map(({ event }) => event).reverse())
    const [first] = await list(here, {}, 1)
    expect(first?.properties.long === long).toBe(true)
  })
}

function filtering(opened: () => Opened): void {
  const session = uuidV7(NOON)
  let here: Opened
  beforeAll(async () => {
    here = opened()
    await applyEvents(here, [
      { event: 'a', timestamp: 1, distinctId: 'ann', sessionId: session },
      { event: 'b', timestamp: 2, distinctId: 'bob', properties: { plan: 'pro' } },
      { event: 'a', timestamp: 3, distinctId: 'Ann' },
      { event: "c'--", timestamp: 4, distinctId: 'ann', properties: { plan: 'pro', LONG } },
      { event: 'b', timestamp: 5, distinctId: "bob' OR 1=1", sessionId: session, properties: { plan: 'free' } },
    ])
    await applyEvents({ ...here, projectId: here.projectId + 100_000 }, [{ event: 'a', distinctId: 'ann' }])
  })
  const many = (count: number) => Array.from({ length: count }, (_, i) => `nobody-${i}`)
  const pro: PropertyCondition = { key: 'plan', operator: 'exact', value: 'pro' }

  it.each<[string, EventFilter, number[]]>([
    ['nothing', {}, [5, 4, 3, 2, 1]],
    ['an event', { event: 'a' }, [3, 1]],
    ['an odd event', { event: "c'--" }, [4]],
    ['no such event', { event: 'A' }, []],
    ['a distinct id', { distinctIds: ['ann'] }, [4, 1]],
    ['an odd distinct id', { distinctIds: ["bob' OR 1=1"] }, [5]],
    ['several distinct ids', { distinctIds: ['ann', 'Ann', 'ann', 'nobody'] }, [4, 3, 1]],
    ['thirty', { distinctIds: [...many(30), 'bob'] }, [2]],
    ['two thousand', { distinctIds: [...many(2_000), 'bob', 'ann'] }, [4, 2, 1]],
    ['no distinct ids', { distinctIds: [] }, []],
    ['a session', { sessionId: session }, [5, 1]],
    ['no such session', { sessionId: uuidV7(NOON) }, []],
    ['no session at all', { sessionId: "' OR true --" }, []],
    ['before', { before: 3 }, [2, 1]],
    ['after', { after: 3 }, [5, 4]],
    ['both', { after: 1, before: 4 }, [3, 2]],
    ['nothing in between', { after: 4, before: 2 }, []],
    ['all at once', { event: 'b', distinctIds: ['bob'], after: 1, before: 9, properties: pro }, [2]],
    ['a property and a distinct id', { distinctIds: ['ann', 'bob'], properties: pro }, [4, 2]],
    ['a property and a session', { sessionId: session, properties: pro }, []],
    ['a property and a time', { after: 2, properties: pro }, [4]],
  ])('by %s', async (_name, filter, times) => {
    expect((await list(here, filter)).map(({ timestamp }) => timestamp)).toEqual(times)
    const pages = await walk(here, 1, undefined, filter)
    expect(pages.flat().map(({ timestamp }) => timestamp)).toEqual(times)
  })

  it('walks a filter over short and long properties alike, forwards and backwards', async () => {
    const here = opened()
    const events = Array.from({ length: 60 }, (_, i) => ({
      event: `${i}`,
      timestamp: i,
      properties: { fits: i % 3 === 0, ...(i % 2 === 0 ? { LONG } : {}) },
    }))
    await applyEvents(here, events)
    const filter: EventFilter = { properties: { key: 'fits', operator: 'exact', value: true } }
    const expected = events.filter((_, i) => i % 3 === 0).map(({ event }) => event)
    const older = await walk(here, 4, undefined, filter)
    expect(older.flatMap(names)).toEqual(expected.toReversed())
    const newer = await walk(here, 4, beyond(older.at(-1)?.at(-1) as ListedEvent, 'newer'), filter)
    expect(newer.reverse().flatMap(names)).toEqual(expected.slice(1).toReversed())
  })

  it.each(['(', '(?=x)', '*', '[z-a]'])('refuses the pattern %s', async (value) => {
    const { store, projectId } = here
    for (const operator of ['regex', 'not_regex'] as const) {
      const asked = store.listEvents(projectId, { properties: { key: 'x', operator, value } }, { limit: 1 })
      await expect(asked).rejects.toMatchObject({ kind: 'invalid', attr: 'properties' })
    }
  })
}

function people(opened: () => Opened): void {
  const owns = (projectId: number, distinctId: string, personId: number | null) => ({ projectId, distinctId, personId })
  const plan = (operator: PropertyCondition['operator'], value: unknown = null): PropertyCondition => ({
    key: 'plan',
    operator,
    value,
    type: 'person',
  })

  /** Ann is pro, Bob was pro and is free, Cem is deleted, Dee has no person. */
  async function filled(extra: object = {}): Promise<Opened> {
    const here = opened()
    const { store, projectId } = here
    const person = (personId: number, value: string, deleted = false) =>
      makePerson(projectId, { personId, properties: { plan: value, ...extra }, deleted })
    const ids = (...pairs: [string, number | null][]) => pairs.map(([id, personId]) => owns(projectId, id, personId))
    const who = ['ann', 'anna', 'bob', 'cem', 'dee']
    const events = who.map((distinctId, i) => makeEvent(projectId, { distinctId, event: distinctId, timestamp: -i }))
    await store.apply(
      [
        makeBatch(2, { persons: [person(2, 'free')], distinctIds: ids(['anna', 1]) }),
        makeBatch(1, {
          events,
          persons: [person(1, 'pro'), person(2, 'pro'), person(3, 'pro')],
          distinctIds: ids(['ann', 1], ['anna', 2], ['bob', 2], ['cem', 3], ['dee', 3]),
        }),
        makeBatch(3, { persons: [person(3, 'pro', true)], distinctIds: ids(['dee', null]) }),
      ],
      NOON,
    )
    return here
  }

  it.each<[string, object]>([
    ['short', {}],
    ['long', { LONG }],
  ])('filters by what the owner is like now, with %s properties', async (_name, extra) => {
    const here = await filled(extra)
    const found = async (properties: PropertyFilter) => names(await list(here, { properties }))
    expect(await found(plan('exact', 'pro'))).toEqual(['ann', 'anna'])
    expect(await found(plan('exact', 'free'))).toEqual(['bob'])
    expect(await found(plan('is_not', 'pro'))).toEqual(['bob', 'cem', 'dee'])
    expect(await found(plan('is_set'))).toEqual(['ann', 'anna', 'bob'])
    expect(await found(plan('is_not_set'))).toEqual(['cem', 'dee'])
  })

  it('combines conditions on events and on people', async () => {
    const here = await filled()
    await applyEvents(here, [
      { event: 'e1', distinctId: 'ann', timestamp: 2, properties: { x: 1 } },
      { event: 'e2', distinctId: 'bob', timestamp: 1, properties: { x: 1, LONG } },
    ])
    const x: PropertyCondition = { key: 'x', operator: 'exact', value: 1 }
    const found = async (properties: PropertyFilter) => names(await list(here, { properties }))
    expect(await found({ join: 'AND', of: [x, plan('exact', 'pro')] })).toEqual(['e1'])
    expect(await found({ join: 'AND', of: [x, plan('exact', 'free')] })).toEqual(['e2'])
    expect(await found({ join: 'OR', of: [x, plan('exact', 'free')] })).toEqual(['e1', 'e2', 'bob'])
    expect(await found({ join: 'OR', of: [{ ...x, value: 2 }, plan('is_not_set')] })).toEqual(['cem', 'dee'])
  })
}

export function eventListing(opened: () => Opened, length: SuiteLength): void {
  describe('order', () => ordering(opened))
  describe('pages', () => paging(opened, length))
  describe('filters', () => filtering(opened))
  describe('filters on people', () => people(opened))
}

const onPeople = (filter: PropertyFilter): PropertyFilter =>
  'join' in filter ? { ...filter, of: filter.of.map(onPeople) } : { ...filter, type: 'person' }

const NEWEST: Record<SuiteLength, number> = { full: 0, short: NOON }

/** A store may search ever longer stretches of all time; the events are in this second, which is one question. */
const RANGE: Record<SuiteLength, EventFilter> = { full: {}, short: { after: NOON - SECOND, before: NOON + 1 } }

/** Every operator on properties of events and of people, short and long. Slow, so it need not run on every variant. */
export function eventPropertyFilters(opened: () => Opened, length: SuiteLength): void {
  const newest = NEWEST[length]
  const range = RANGE[length]
  const onEvents =
    (extra: object): SeededFilterCase =>
    async (rows) => {
      const here = opened()
      const events = Object.entries(rows).map(([event, properties], i) => ({
        event,
        timestamp: newest - i,
        properties: { ...properties, ...extra },
      }))
      await applyEvents(here, events)
      return async (properties) => names(await list(here, { ...range, properties }))
    }
  const onOwners =
    (extra: object): SeededFilterCase =>
    async (rows) => {
      const here = opened()
      const { store, projectId } = here
      const entries = Object.entries(rows)
      const batch = makeBatch(1, {
        events: entries.map(([event], i) => makeEvent(projectId, { event, distinctId: event, timestamp: newest - i })),
        persons: entries.map(([, properties], i) =>
          makePerson(projectId, { personId: i + 1, properties: { ...properties, ...extra } }),
        ),
        distinctIds: entries.map(([distinctId], i) => ({ projectId, distinctId, personId: i + 1 })),
      })
      await store.apply([batch], NOON)
      return async (properties) => names(await list(here, { ...range, properties: onPeople(properties) }))
    }
  describe('of events', () => propertyFilterCases(onEvents({}), length))
  describe('of events with long properties', () => propertyFilterCases(onEvents({ LONG }), length))
  describe('of people', () => propertyFilterCases(onOwners({}), length))
  describe('of people with long properties', () => propertyFilterCases(onOwners({ LONG }), length))
}

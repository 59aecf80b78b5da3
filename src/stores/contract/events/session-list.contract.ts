/** Lists of sessions: what every EventStore must find, in which order, and what it knows of each. */
import { beforeAll, describe, expect, it } from 'vitest'
import { uuidV7 } from '../../../lib/ids.ts'
import { DAY } from '../../../lib/time/time.ts'
import type { FoundSession, SessionFilter, SessionOrder } from '../../../model/events/session.ts'
import type { PropertyCondition, PropertyFilter, PropertyOperator } from '../../../model/persons/person.ts'
import { applyEvents, applySession, EVER, NOON, newErasureId, type Opened } from '../batch-builders.ts'
import type { SuiteLength } from '../property-filter-cases.ts'
import { SessionWorld } from '../session-world.ts'

const NEWEST: SessionOrder = { by: 'start', ascending: false }
const LONGEST: SessionOrder = { by: 'duration', ascending: false }
const ORDERS: SessionOrder[] = [NEWEST, LONGEST, { by: 'start', ascending: true }, { by: 'duration', ascending: true }]

const is = (key: string, operator: PropertyOperator, value: unknown = null): PropertyCondition => ({
  key,
  operator,
  value,
})

const FILTERS: PropertyFilter[] = [
  is('$entry_utm_source', 'exact', 'Google'),
  is('$entry_utm_source', 'is_not', 'Google'),
  is('$entry_utm_source', 'icontains', 'STRASSE'),
  is('$entry_utm_source', 'is_not_set'),
  is('$entry_utm_term', 'gt', 7),
  is('$entry_utm_term', 'lte', 12.5),
  is('$entry_referring_domain', 'regex', '^(blog|t)\\.'),
  is('$end_hostname', 'not_regex', 'shop'),
  is('$entry_pathname', 'exact', '/Größe'),
  is('$end_current_url', 'not_icontains', 'bill'),
  is('$last_external_click_url', 'is_set'),
  is('$channel_type', 'exact', 'Paid Search'),
  is('$channel_type', 'is_not', 'Direct'),
  is('$is_bounce', 'exact', 'true'),
  is('$is_bounce', 'is_not', 'true'),
  is('$is_bounce', 'is_not_set'),
  is('$pageview_count', 'exact', '2'),
  is('$autocapture_count', 'gt', 1),
  is('$screen_count', 'lte', 0),
  is('$session_duration', 'gt', 19),
  is('$session_duration', 'exact', 9),
  is('$vitals_lcp', 'gt', 900.25),
  is('$vitals_lcp', 'is_not_set'),
  {
    join: 'OR',
    of: [
      { join: 'AND', of: [is('$pageview_count', 'gt', 1), is('$entry_utm_source', 'is_set')] },
      { join: 'AND', of: [is('$vitals_lcp', 'lte', 700), is('$channel_type', 'regex', 'Social|Unknown')] },
    ],
  },
  { join: 'OR', of: [] },
]

const EVENTS: Record<SuiteLength, number> = { full: 4_000, short: 600 }

/** Few where each has several parts of a table. */
const BATCHES: Record<SuiteLength, number> = { full: 4, short: 2 }

/** Everybody of the world. */
const SIXTY = Array.from({ length: 60 }, (_, i) => `id-${i}`)

/** A store may search ever longer stretches of all time, but not for those of some ids. */
const WHOSE: Record<SuiteLength, Partial<SessionFilter>> = { full: {}, short: { distinctIds: SIXTY } }

/** So that there are several of them. */
const PER_PAGE: Record<SuiteLength, number> = { full: 197, short: 47 }

/** Every page of the list, from the first on; and from the last on back to it. */
async function walked({ store, projectId }: Opened, filter: SessionFilter, order: SessionOrder, limit: number) {
  const there: FoundSession[] = []
  let page = await store.findSessions(projectId, filter, { limit, order })
  there.push(...page.sessions)
  while (page.more) {
    const place = there.at(-1) as FoundSession
    page = await store.findSessions(projectId, filter, { limit, order, from: { place, direction: 'forward' } })
    there.push(...page.sessions)
  }
  const back = there.slice(-1)
  do {
    const place = back[0] as FoundSession
    page = await store.findSessions(projectId, filter, { limit, order, from: { place, direction: 'back' } })
    back.unshift(...page.sessions)
  } while (page.more)
  return { there, back }
}

export function sessionLists(opened: () => Opened, length: SuiteLength): void {
  const perPage = PER_PAGE[length]

  describe('of many events', () => {
    const world = new SessionWorld()
    let here: Opened
    beforeAll(async () => {
      here = opened()
      await world.fill(here, 11, EVENTS[length], BATCHES[length])
      await applyEvents({ ...here, projectId: opened().projectId }, [{ sessionId: uuidV7(NOON) }])
    })
    const found = async (filter: Partial<SessionFilter>, order = NEWEST) => {
      const { store, projectId } = here
      return (await store.findSessions(projectId, { ...EVER, ...filter }, { limit: 10_000, order })).sessions
    }

    it('know of each what a plain computation says', async () => {
      const { store, projectId } = here
      const expected = world.sessions()
      for (let from = 0; from < expected.length; from += 300) {
        const some = expected.slice(from, from + 300)
        expect(await store.readSessions(projectId, some)).toEqual(some)
        const ids = some.map(({ sessionId }) => ({ sessionId })).reverse()
        expect(await store.readSessions(projectId, ids)).toEqual(some.toReversed())
      }
    })

    it.each(ORDERS)('are whole and in order, page by page: $by, ascending $ascending', async (order) => {
      const expected = world.find(EVER, order)
      const { there, back } = await walked(here, EVER, order, perPage)
      expect(there).toEqual(expected)
      expect(back).toEqual(expected)
    })

    it.each(ORDERS)('are those that began in a range, ends included: $by, ascending $ascending', async (order) => {
      const newest = world.find(EVER, NEWEST)
      const first = newest[Math.floor(newest.length / 2)] as FoundSession
      const last = newest[Math.floor(newest.length / 10)] as FoundSession
      for (const range of [
        { from: first.startAt, to: last.startAt },
        { from: last.startAt, to: last.startAt },
        { from: NOON - 31 * DAY, to: Number.POSITIVE_INFINITY },
        { from: Number.NEGATIVE_INFINITY, to: NOON - 20 * DAY },
        { from: NOON + 400 * DAY, to: Number.POSITIVE_INFINITY },
      ]) {
        expect(await found(range, order)).toEqual(world.find({ ...EVER, ...range }, order))
      }
    })

    it('are those with an event of one of the ids', async () => {
      for (const distinctIds of [['id-3'], ['id-3', 'id-4', 'nobody'], SIXTY]) {
        for (const order of ORDERS) {
          expect(await found({ distinctIds }, order)).toEqual(world.find({ ...EVER, distinctIds }, order))
        }
        const range = { from: NOON - 5 * DAY, to: NOON, distinctIds }
        expect(await found(range)).toEqual(world.find(range, NEWEST))
      }
      expect(await found({ distinctIds: [] })).toEqual([])
      expect(await found({ distinctIds: ['nobody'] })).toEqual([])
    })

    it.each(FILTERS.map((filter) => [JSON.stringify(filter), filter] as const))('fit %s', async (_name, properties) => {
      const filter = { ...EVER, ...WHOSE[length], properties }
      expect(await found(filter)).toEqual(world.find({ ...EVER, properties }, NEWEST))
    })

    it.each([FILTERS[0], FILTERS[13], FILTERS.at(-2)])(
      'fit a filter by length, of some ids and in a range: %j',
      async (properties) => {
        const range = { from: NOON - 8 * DAY, to: NOON - DAY }
        const ever = length === 'full' ? [{}] : []
        for (const more of [...ever, { distinctIds: ['id-1', 'id-7'] }, range]) {
          const filter = { ...EVER, ...more, properties: properties as PropertyFilter }
          expect(await found(filter, LONGEST)).toEqual(world.find(filter, LONGEST))
          expect(await found(filter)).toEqual(world.find(filter, NEWEST))
        }
      },
    )

    it('are paged under a filter as well', async () => {
      const filter = { ...EVER, properties: is('$pageview_count', 'gt', 1) }
      for (const order of [NEWEST, LONGEST]) {
        const expected = world.find(filter, order)
        expect(await walked(here, filter, order, perPage)).toEqual({ there: expected, back: expected })
      }
    })

    it('compare their dates', async () => {
      const ids = async (properties: PropertyFilter) =>
        new Set((await found({ properties })).map((one) => one.sessionId))
      const expected = (fitting: (session: { startAt: number; endAt: number }) => boolean) =>
        new Set(
          world
            .sessions()
            .filter(fitting)
            .map((session) => session.sessionId),
        )
      const day = NOON - 12 * 3_600_000 - 3 * DAY
      const name = new Date(day).toISOString()
      expect(await ids(is('$start_timestamp', 'is_date_exact', name.slice(0, 10)))).toEqual(
        expected(({ startAt }) => startAt >= day && startAt < day + DAY),
      )
      expect(await ids(is('$end_timestamp', 'is_date_before', name))).toEqual(expected(({ endAt }) => endAt < day))
      expect(await ids(is('$start_timestamp', 'is_date_after', name))).toEqual(expected(({ startAt }) => startAt > day))
      expect(await ids(is('$start_timestamp', 'is_set'))).toEqual(expected(() => true))
      expect(await ids(is('$end_timestamp', 'is_not_set'))).toEqual(new Set())
    })
  })

  it('are empty without sessions, and know nothing of other projects', async () => {
    const here = opened()
    const none = { sessions: [], more: false }
    const request = { limit: 5, order: NEWEST }
    expect(await here.store.findSessions(here.projectId, EVER, request)).toEqual(none)
    const sessionId = await applySession(here, [{}])
    await applyEvents(here, [{}])
    expect((await here.store.findSessions(here.projectId, EVER, request)).sessions).toHaveLength(1)
    const other = opened().projectId
    expect(await here.store.findSessions(other, EVER, request)).toEqual(none)
    expect(await here.store.readSessions(other, [{ sessionId }])).toEqual([])
    const unknown = [
      { sessionId: uuidV7(NOON) },
      { sessionId: 'none' },
      { sessionId: '00000000-0000-0000-0000-000000000000' },
    ]
    expect(await here.store.readSessions(here.projectId, unknown)).toEqual([])
    expect(await here.store.readSessions(here.projectId, [])).toEqual([])
  })

  it('refuse a pattern that cannot be read', async () => {
    const here = opened()
    await applySession(here, [{}])
    const filter = { ...EVER, properties: is('$entry_pathname', 'regex', '(') }
    await expect(here.store.findSessions(here.projectId, filter, { limit: 5, order: NEWEST })).rejects.toMatchObject({
      kind: 'invalid',
      attr: 'properties',
    })
  })

  it('count a uuid that was stored twice once', async () => {
    const here = opened()
    const sessionId = uuidV7(NOON)
    const uuid = uuidV7(NOON)
    await applyEvents(here, [{ sessionId, uuid, event: '$pageview' }], 1)
    await applyEvents(here, [{ sessionId, uuid, event: '$pageview' }], 2)
    const [session] = await here.store.readSessions(here.projectId, [{ sessionId }])
    expect(session?.properties).toMatchObject({ $pageview_count: 1, $is_bounce: true })
  })

  it('have no events that were erased', async () => {
    const here = opened()
    const { store, projectId } = here
    const sessionId = uuidV7(NOON)
    await applyEvents(here, [{ sessionId }, { sessionId: uuidV7(NOON) }], 1)
    await applyEvents(here, [{ sessionId, timestamp: NOON + 1_500 }], 2)
    await store.erase([{ id: newErasureId(), projectId, personId: 1, distinctIds: ['ann'], cutoffSeq: 1 }])
    const left = { sessionId, startAt: NOON + 1_500, endAt: NOON + 1_500 }
    const { sessions } = await store.findSessions(projectId, EVER, { limit: 5, order: NEWEST })
    expect(sessions).toEqual([{ ...left, by: NOON + 1_500 }])
    expect(await store.readSessions(projectId, sessions)).toMatchObject([left])
  })
}

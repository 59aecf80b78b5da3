/** The part of the event store's contract about sessions: how they are computed and listed. */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { uuidV7 } from '../../../lib/ids.ts'
import type { EventSelector } from '../../../model/insights/insight-question.ts'
import type { PropertyCondition, PropertyFilter, PropertyOperator } from '../../../model/persons/person.ts'
import {
  ANY_EVENT,
  applyEvents,
  applySession,
  makeBatch,
  makeEvent,
  makePerson,
  NOON,
  type Opened,
  sessionsOf,
  valuesOf,
} from '../batch-builders.ts'

const PARAMETERS =
  'utm_source utm_campaign utm_medium utm_term utm_content gclid gad_source gclsrc dclid gbraid wbraid fbclid msclkid twclid li_fat_id mc_cid igshid ttclid _kx irclid'.split(
    ' ',
  )

export function sessionComputation(opened: () => Opened): void {
  it('takes entry values from the earliest event and end values from the latest, in any order of arrival', async () => {
    const here = opened()
    await applySession(here, [
      {
        at: 60,
        properties: { $current_url: 'https://shop.example:8080/bill?x=1#top', $referring_domain: 'later.example' },
      },
      { at: 5, properties: { $current_url: 'https://shop.example/middle' } },
      {
        at: 0,
        properties: { $current_url: 'https://me@www.example/Start/%C3%A9?q=/no#/no', $referring_domain: 'x.example' },
      },
    ])
    expect(await valuesOf(here, '$entry_current_url')).toEqual(['https://me@www.example/Start/%C3%A9?q=/no#/no: 1'])
    expect(await valuesOf(here, '$entry_pathname')).toEqual(['/Start/%C3%A9: 1'])
    expect(await valuesOf(here, '$entry_hostname')).toEqual(['www.example: 1'])
    expect(await valuesOf(here, '$entry_referring_domain')).toEqual(['x.example: 1'])
    expect(await valuesOf(here, '$end_current_url')).toEqual(['https://shop.example:8080/bill?x=1#top: 1'])
    expect(await valuesOf(here, '$end_pathname')).toEqual(['/bill: 1'])
    expect(await valuesOf(here, '$end_hostname')).toEqual(['shop.example: 1'])
  })

  it('has no path or host for text that is not a URL', async () => {
    const here = opened()
    await applySession(here, [{ properties: { $current_url: 'a screen: the/first' } }])
    expect(await valuesOf(here, '$entry_current_url')).toEqual(['a screen: the/first: 1'])
    expect(await valuesOf(here, '$entry_pathname')).toEqual([])
    expect(await valuesOf(here, '$end_hostname')).toEqual([])
  })

  it.each(PARAMETERS)('reads $entry_%s from the first event only', async (name) => {
    const here = opened()
    await applySession(here, [{ properties: { [name]: `first ${name}` } }, { at: 1, properties: { [name]: 'second' } }])
    await applySession(here, [{ properties: {} }, { at: 1, properties: { [name]: 'too late' } }])
    expect(await valuesOf(here, `$entry_${name}`)).toEqual([`first ${name}: 1`])
  })

  it('orders events of the same instant by seq, then by their place in the batch', async () => {
    const here = opened()
    const sessionId = uuidV7(NOON)
    const event = (page: string) => ({ sessionId, properties: { $current_url: `https://a.example/${page}` } })
    await applyEvents(here, [event('3'), event('4')], 9)
    await applyEvents(here, [event('1'), event('2')], 8)
    expect(await valuesOf(here, '$entry_pathname')).toEqual(['/1: 1'])
    expect(await valuesOf(here, '$end_pathname')).toEqual(['/4: 1'])
  })

  it('finds the latest external click wherever it is in the session', async () => {
    const here = opened()
    const click = (url: unknown) => ({ $external_click_url: url })
    const events = [click('https://one.example'), click('https://two.example'), click(null), click('')]
    await applySession(
      here,
      [...events, {}].map((properties, at) => ({ at, properties })),
    )
    await applySession(here, [{ properties: {} }])
    expect(await valuesOf(here, '$last_external_click_url')).toEqual(['https://two.example: 1'])
  })

  it('combines the events of one session from several batches, and ignores events without a session', async () => {
    const here = opened()
    const properties = { utm_source: 'letter' }
    const sessionId = await applySession(
      here,
      [
        { at: 1, event: 'b' },
        { at: 3, event: 'a' },
      ],
      2,
    )
    await applyEvents(here, [{ sessionId, timestamp: 0, event: 'a', properties }, { properties }], 1)
    expect(await valuesOf(here, '$entry_utm_source')).toEqual(['letter: 1'])
    const moments = await here.store.sessionEvents(here.projectId, sessionId, [{ event: 'a', filter: null }])
    expect(moments.map(({ timestamp }) => timestamp)).toEqual([0, expect.any(Number)])
    expect(await here.store.sessionEvents(here.projectId, sessionId, [ANY_EVENT])).toHaveLength(3)
  })

  it('calls a session a bounce when it has one page event and lasted under ten seconds', async () => {
    const here = opened()
    await applySession(here, [{ event: '$pageview' }, { event: 'custom', at: 9.999 }])
    await applySession(here, [{ event: '$pageview' }, { event: 'custom', at: 10 }])
    await applySession(here, [{ event: '$pageview' }, { event: '$autocapture', at: 1 }])
    await applySession(here, [{ event: '$screen' }])
    await applySession(here, [{ event: 'custom' }])
    expect(await valuesOf(here, '$is_bounce')).toEqual(['0: 2', '1: 2'])
  })
}

const CHANNELS: [channel: string, properties: Record<string, unknown>][] = [
  ['Cross Network', { utm_campaign: 'Spring Cross-Network 1', gclid: 'x' }],
  ['Paid Search', { utm_source: 'Google', utm_medium: 'CPC' }],
  ['Paid Search', { gclid: 'abc', $referring_domain: 'www.google.co.uk' }],
  ['Paid Search', { gad_source: 1, $referring_domain: '$direct' }],
  ['Paid Social', { utm_source: 'facebook', utm_medium: 'paid_social' }],
  ['Paid Social', { utm_medium: 'cpm', fbclid: 'x' }],
  ['Paid Video', { utm_medium: 'cpv', utm_source: 'youtube' }],
  ['Paid Shopping', { utm_medium: 'ppc', utm_campaign: 'summer-shopping' }],
  ['Paid Unknown', { utm_medium: 'retargeting', utm_source: 'acme', utm_campaign: 'workshop' }],
  ['Direct', { $referring_domain: '$direct' }],
  ['Direct', { $referring_domain: '$direct', utm_source: '(direct)' }],
  ['Organic Search', { $referring_domain: 'duckduckgo.com' }],
  ['Organic Search', { $referring_domain: 'www.google.com' }],
  ['Organic Social', { $referring_domain: 't.co' }],
  ['Organic Social', { $referring_domain: '$direct', fbclid: 'x' }],
  ['Organic Social', { utm_medium: 'social', $referring_domain: 'acme.example' }],
  ['Organic Video', { $referring_domain: 'm.youtube.com' }],
  ['Organic Shopping', { utm_source: 'amazon.de' }],
  ['Email', { $referring_domain: 'mail.google.com' }],
  ['Email', { utm_medium: 'email', utm_source: 'acme' }],
  ['Affiliate', { utm_medium: 'affiliate', $referring_domain: 'acme.example' }],
  ['Audio', { utm_medium: 'audio' }],
  ['SMS', { utm_source: 'sms', $referring_domain: '$direct' }],
  ['Push', { utm_medium: 'web-push', $referring_domain: '$direct' }],
  ['Referral', { $referring_domain: 'blog.acme.example' }],
  ['Referral', { $referring_domain: 'notgoogle.example' }],
  ['Direct', { $referring_domain: '$direct', utm_source: 'acme' }],
  ['Unknown', {}],
]

export function channels(opened: () => Opened): void {
  /** Each session has a project of its own; they come in one batch. */
  let places: Opened[]
  beforeAll(async () => {
    places = CHANNELS.map(() => opened())
    const events = CHANNELS.flatMap(([, properties], place) => {
      const { projectId } = places[place] as Opened
      const event = { event: '$pageview', sessionId: uuidV7(NOON) }
      return [
        makeEvent(projectId, { ...event, properties }),
        makeEvent(projectId, { ...event, timestamp: NOON + 1_000, properties: { utm_medium: 'email' } }),
      ]
    })
    await places[0]?.store.apply([makeBatch(1, { events })], NOON)
  })

  it.each(CHANNELS.map(([channel, properties], place) => [channel, properties, place] as const))(
    'is %s for %j',
    async (channel, _properties, place) => {
      expect(await valuesOf(places[place] as Opened, '$channel_type')).toEqual([`${channel}: 1`])
    },
  )
}

export function sessionListing(opened: () => Opened): void {
  it('lists the most frequent value first, equal ones by name, and no more than the limit', async () => {
    const here = opened()
    for (const source of ['b', 'c', 'c', 'a', '', null]) {
      await applySession(here, [{ properties: { utm_source: source } }])
    }
    expect(await valuesOf(here, '$entry_utm_source')).toEqual(['c: 2', 'a: 1', 'b: 1'])
    const query = { projectId: here.projectId, keys: ['$entry_utm_source'], search: null }
    expect(await here.store.sessionValues({ ...query, limit: 2 })).toHaveLength(2)
    expect(await here.store.sessionValues({ ...query, limit: 0 })).toEqual([])
  })

  it('lists several keys in the given order, each up to the limit, and none twice', async () => {
    const here = opened()
    await applySession(here, [{ properties: { utm_source: 'a', utm_medium: 'm' } }])
    await applySession(here, [{ properties: { utm_source: 'b', utm_medium: 'm' } }])
    const keys = ['$entry_utm_medium', '$entry_utm_source', '$entry_utm_medium', '$entry_gclid']
    expect(await here.store.sessionValues({ projectId: here.projectId, keys, search: null, limit: 1 })).toEqual([
      { key: '$entry_utm_medium', name: 'm', count: 2 },
      { key: '$entry_utm_source', name: 'a', count: 1 },
    ])
  })

  it('has no values for numbers, dates, unknown keys and no keys', async () => {
    const here = opened()
    await applySession(here, [{ properties: { utm_source: 'a', $current_url: 'https://a.example/' } }])
    const keys = [
      '$start_timestamp',
      '$pageview_count',
      '$session_duration',
      '$vitals_lcp',
      "x' OR 1=1 --",
      'utm_source',
    ]
    expect(await here.store.sessionValues({ projectId: here.projectId, keys, search: null, limit: 9 })).toEqual([])
    expect(await here.store.sessionValues({ projectId: here.projectId, keys: [], search: null, limit: 9 })).toEqual([])
  })

  it('searches for contained text in any case, with % and _ taken literally', async () => {
    const here = opened()
    for (const source of ['100%_sure', '100 is sure', 'Größe ÄÖ', "it's", 'back\\slash']) {
      await applySession(here, [{ properties: { utm_source: source } }])
    }
    expect(await valuesOf(here, '$entry_utm_source', '%')).toEqual(['100%_sure: 1'])
    expect(await valuesOf(here, '$entry_utm_source', '0_')).toEqual([])
    expect(await valuesOf(here, '$entry_utm_source', 'SURE')).toEqual(['100 is sure: 1', '100%_sure: 1'])
    expect(await valuesOf(here, '$entry_utm_source', 'GRÖSSE')).toEqual(['Größe ÄÖ: 1'])
    expect(await valuesOf(here, '$entry_utm_source', 'größE äö')).toEqual(['Größe ÄÖ: 1'])
    expect(await valuesOf(here, '$entry_utm_source', "'")).toEqual(["it's: 1"])
    expect(await valuesOf(here, '$entry_utm_source', '\\s')).toEqual(['back\\slash: 1'])
    expect(await valuesOf(here, '$entry_utm_source', '')).toHaveLength(5)
  })

  it('returns text unchanged and other values in their text form', async () => {
    const here = opened()
    const odd = ['null', '"quoted"', ' spaced ', '[1]', 'new\nline', '日本 👩‍👩‍👧', '__proto__']
    for (const source of [...odd, 1.5, true, ['a', 'b']])
      await applySession(here, [{ properties: { utm_source: source } }])
    const values = await here.store.sessionValues({
      projectId: here.projectId,
      keys: ['$entry_utm_source'],
      search: null,
      limit: 99,
    })
    expect(values.map(({ name }) => name).sort()).toEqual([...odd, '1.5', 'true', '["a","b"]'].sort())
  })

  it('returns a long address unchanged, and lists the rest of a session whose address is far too long', async () => {
    const here = opened()
    const long = `https://a.example/${'é'.repeat(4_000)}`
    await applySession(here, [{ properties: { $current_url: long } }])
    await applySession(here, [{ properties: { $current_url: long.repeat(100), utm_source: 'a' } }])
    expect(await valuesOf(here, '$entry_current_url', 'a.example/é')).toContain(`${long}: 1`)
    expect(await valuesOf(here, '$entry_utm_source')).toEqual(['a: 1'])
  })

  it('finds sessions by the events in them and their time, ends included', async () => {
    const here = opened()
    const bought = await applySession(here, [
      { event: 'bought' },
      { event: 'bought', at: 9 },
      { event: 'left', at: 10 },
    ])
    const left = await applySession(here, [{ event: 'left' }])
    await applyEvents(here, [{ event: 'bought' }])
    const between = (event: string | null, from: number, to: number) =>
      sessionsOf(here.store.sessionsWith(here.projectId, { event, filter: null }, from, to))
    expect(await between('bought', -Infinity, Infinity)).toEqual([bought])
    expect(await between('left', -Infinity, Infinity)).toEqual([bought, left])
    expect(await between(null, -Infinity, Infinity)).toEqual([bought, left])
    expect(await between('none', -Infinity, Infinity)).toEqual([])
    const [first] = await here.store.sessionEvents(here.projectId, bought, [ANY_EVENT])
    const at = first?.timestamp as number
    expect(await between('bought', at, at)).toEqual([bought])
    expect(await between('bought', at + 1, at + 8_999)).toEqual([])
  })

  it('gives the ids of sessions sorted, each once, whatever their digits and however many', async () => {
    const here = opened()
    const made = ['00000000-0000-7000-8000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']
    for (const digit of '0123456789abcdef') made.push(`${digit}1234567-89ab-4cde-8f01-23456789abcd`)
    for (let n = 0; n < 5_000; n++) made.push(randomUUID(), uuidV7(NOON + n))
    const twice = [...made, ...made.slice(0, 3_000)]
    await applyEvents(
      here,
      twice.map((sessionId) => ({ event: 'seen', sessionId })),
    )
    const { store, projectId } = here
    expect(await sessionsOf(store.sessionsWith(projectId, ANY_EVENT, -Infinity, Infinity))).toEqual(made.toSorted())
  })

  describe.each<[string, object]>([
    ['short', {}],
    ['long', { LONG: 'lang é"\\👩 '.repeat(3_000) }],
  ])('by %s properties of events', (_name, extra) => {
    const is = (key: string, value: unknown, operator: PropertyOperator = 'exact'): PropertyCondition => ({
      key,
      operator,
      value,
    })

    /** Ann is pro and paid by card; Bob, who has no person, paid in cash. */
    async function filled() {
      const here = opened()
      const { store, projectId } = here
      const sessions: string[] = []
      for (const [distinctId, by] of [
        ['ann', 'card'],
        ['bob', 'cash'],
      ] as const) {
        const sessionId = uuidV7(NOON + sessions.length)
        sessions.push(sessionId)
        const event = (name: string, timestamp: number, properties: object) => ({
          event: name,
          sessionId,
          distinctId,
          timestamp: NOON + timestamp,
          properties: { ...properties, ...extra },
        })
        await applyEvents(here, [
          event('paid', 2, { by, total: 5 }),
          event('left', 3, {}),
          event('came', 1, { by: 'foot' }),
        ])
      }
      const persons = [makePerson(projectId, { properties: { plan: 'pro', ...extra } })]
      await store.apply([makeBatch(2, { persons, distinctIds: [{ projectId, distinctId: 'ann', personId: 1 }] })], NOON)
      const [card, cash] = sessions as [string, string]
      const found = (filter: PropertyFilter, event: string | null = null, to = Infinity) =>
        sessionsOf(store.sessionsWith(projectId, { event, filter }, -Infinity, to))
      const times = async (...selectors: EventSelector[]) =>
        (await store.sessionEvents(projectId, card, selectors)).map(({ timestamp }) => timestamp - NOON)
      return { card, cash, found, times }
    }

    it('finds the sessions with an event that matches the whole filter', async () => {
      const { card, cash, found } = await filled()
      expect(await found(is('by', 'card'))).toEqual([card])
      expect(await found(is('total', 4, 'gt'))).toEqual([card, cash])
      expect(await found({ join: 'AND', of: [is('by', 'foot'), is('total', 5)] })).toEqual([])
      expect(await found({ join: 'OR', of: [is('by', 'cash'), is('total', 6)] })).toEqual([cash])
      expect(await found(is('by', ['card', 'foot'], 'is_not'), 'paid')).toEqual([cash])
      expect(await found(is('by', null, 'is_not_set'), 'paid')).toEqual([])
      expect(await found(is('by', 'card'), 'came')).toEqual([])
      expect(await found(is('by', 'card'), null, NOON + 2)).toEqual([card])
      expect(await found(is('by', 'card'), null, NOON + 1.999)).toEqual([])
    })

    it('finds them by the current properties of the event’s person', async () => {
      const { card, cash, found } = await filled()
      const plan = (operator: PropertyOperator): PropertyCondition => ({
        ...is('plan', 'pro', operator),
        type: 'person',
      })
      expect(await found(plan('exact'))).toEqual([card])
      expect(await found(plan('is_not'))).toEqual([cash])
      expect(await found({ join: 'AND', of: [plan('exact'), is('by', 'cash')] })).toEqual([])
    })

    it('finds the events of one session that match one of several selectors, each once', async () => {
      const { times } = await filled()
      const by = { event: null, filter: is('by', ['foot', 'card']) }
      expect(await times(by)).toEqual([1, 2])
      expect(await times(by, { event: 'paid', filter: null }, { event: 'left', filter: null })).toEqual([1, 2, 3])
      expect(await times({ event: 'paid', filter: is('by', 'foot') })).toEqual([])
      expect(await times({ event: null, filter: { ...is('plan', 'pro'), type: 'person' } })).toEqual([1, 2, 3])
    })

    it('refuses an invalid pattern', async () => {
      const { found, times } = await filled()
      const filter = is('by', '(', 'regex')
      await expect(found(filter)).rejects.toMatchObject({ kind: 'invalid' })
      await expect(times({ event: null, filter })).rejects.toMatchObject({ kind: 'invalid' })
    })
  })

  it('has no events for an unknown session or an invalid session id', async () => {
    const here = opened()
    const sessionId = await applySession(here, [{}])
    const { store, projectId } = here
    expect(await store.sessionEvents(projectId, uuidV7(NOON), [ANY_EVENT])).toEqual([])
    expect(await store.sessionEvents(projectId, "x'; DROP TABLE events; --", [ANY_EVENT])).toEqual([])
    expect(await store.sessionEvents(projectId, sessionId, [])).toEqual([])
    expect(await store.sessionEvents(projectId, sessionId, [ANY_EVENT])).toHaveLength(1)
  })
}

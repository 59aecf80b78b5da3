/** Lists of session recordings by the events of their sessions, and which events of a session match. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRecordingList } from '../../../src/features/recordings/recording-list.ts'
import { uuidV7 } from '../../../src/lib/ids.ts'
import type { Caller } from '../../../src/model/accounts/caller.ts'
import type { Project } from '../../../src/model/accounts/project.ts'
import { makeApp, type TestApp } from '../../support/app.ts'
import { makeEvents, makePerson, makeProject, makeRecording } from '../../support/make.ts'

const HOUR = 3_600_000
const ALL = ['ann', 'bob', 'cem', 'dee']

let app: TestApp
let projectId: number
/** What each session is called here, by its id. */
const names = new Map<string, string>()

/**
 * Four sessions an hour ago. Ann (pro) saw two pages and paid by card, Bob (free) saw one and paid in cash, Cem, who
 * has no person, saw one page; nothing is known of the fourth.
 */
beforeAll(async () => {
  app = await makeApp()
  projectId = (await makeProject(app)).id
  await makePerson(app, { projectId, distinctIds: ['ann'], properties: { plan: 'pro' } })
  await makePerson(app, { projectId, distinctIds: ['bob'], properties: { plan: 'free' } })
  const at = app.clock.now() - HOUR
  const visits: Record<string, { event: string; properties: Record<string, unknown> }[]> = {
    ann: [
      { event: '$pageview', properties: { path: '/a', browser: 'Firefox' } },
      { event: '$pageview', properties: { path: '/b', browser: 'Firefox' } },
      { event: 'paid', properties: { by: 'card', total: 12 } },
    ],
    bob: [
      { event: '$pageview', properties: { path: '/a', browser: 'Safari' } },
      { event: 'paid', properties: { by: 'cash', total: 3 } },
    ],
    cem: [{ event: '$pageview', properties: { path: '/b', browser: 'Safari', long: 'x'.repeat(50_000) } }],
    dee: [],
  }
  for (const [distinctId, events] of Object.entries(visits)) {
    const sessionId = uuidV7(at)
    names.set(sessionId, distinctId)
    await makeRecording(app, { projectId, sessionId, distinctId, startAt: at })
    await makeEvents(
      app,
      events.map((event, i) => ({ ...event, projectId, sessionId, distinctId, timestamp: at + i * 1_000 })),
    )
  }
  await makeEvents(app, [{ projectId, event: 'paid', properties: { by: 'card' } }])
})
afterAll(() => app.end())

const ask = (query: Record<string, unknown>, rest = '') =>
  app.call('GET', `/api/environments/${projectId}/session_recordings/${rest}`, {
    query: Object.fromEntries(
      Object.entries(query).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
    ),
  })

const found = async (query: Record<string, unknown>): Promise<unknown[]> => {
  const response = await ask(query)
  expect(response.statusCode, response.body).toBe(200)
  const { count, results } = response.json()
  expect(count).toBe(results.length)
  return results.map(({ id }: { id: string }) => names.get(id)).sort()
}

const is = (key: string, value: unknown, operator = 'exact') => ({ key, value, operator, type: 'event' })
const ofPerson = (value: string, operator = 'exact') => ({ key: 'plan', value, operator, type: 'person' })
const event = (id: string | null, ...properties: unknown[]) => ({ id, type: 'events', order: 0, properties })

describe('GET session_recordings/ by events', () => {
  it.each<[string, unknown[], unknown[]]>([
    ['any event', [event(null)], ['ann', 'bob', 'cem']],
    ['a property', [event('paid', is('by', 'card'))], ['ann']],
    ['a property without a type', [event('paid', { key: 'by', value: ['card', 'cash'] })], ['ann', 'bob']],
    ['a long event', [event('$pageview', is('browser', 'safari', 'icontains'))], ['bob', 'cem']],
    ['a number', [event('paid', is('total', 10, 'gt'))], ['ann']],
    ['a property of another event', [event('$pageview', is('by', 'card'))], []],
    ['any event with a property', [event(null, is('by', null, 'is_set'))], ['ann', 'bob']],
    ['one event with both', [event('$pageview', is('path', '/a'), is('path', '/b'))], []],
    ['two events', [event('$pageview', is('path', '/a')), event('$pageview', is('path', '/b'))], ['ann']],
    ['what fits not', [event('paid', is('by', 'card', 'is_not'))], ['bob']],
    ['the person of the event', [event('paid', ofPerson('free'))], ['bob']],
    ['nobody', [event('$pageview', ofPerson('pro', 'is_not'))], ['bob', 'cem']],
  ])('finds %s', async (_name, events, expected) => {
    expect(await found({ events })).toEqual(expected)
  })

  it.each<[string, unknown, unknown[]]>([
    ['a condition', [is('by', 'card')], ['ann']],
    ['conditions that two events meet', [is('path', '/a'), is('path', '/b')], ['ann']],
    ['events and the person', [is('path', '/a'), ofPerson('free')], ['bob']],
    ['a group', { type: 'OR', values: [is('by', 'cash'), is('path', '/b')] }, ['ann', 'bob', 'cem']],
    ['a group of both kinds', { type: 'OR', values: [is('by', 'card'), ofPerson('pro', 'is_not')] }, ALL],
    [
      'groups of groups',
      {
        type: 'AND',
        values: [
          { type: 'OR', values: [is('path', '/b'), ofPerson('free')] },
          { type: 'AND', values: [is('browser', 'Safari')] },
        ],
      },
      ['bob', 'cem'],
    ],
    ['nothing', [is('by', 'barter')], []],
  ])('finds by properties: %s', async (_name, properties, expected) => {
    expect(await found({ properties })).toEqual(expected)
  })

  it('combines them with the rest by the operand', async () => {
    const query = { events: [event('paid', is('by', 'cash'))], properties: [is('path', '/b')] }
    expect(await found(query)).toEqual([])
    expect(await found({ ...query, operand: 'OR' })).toEqual(['ann', 'bob', 'cem'])
    const clicks = { having_predicates: [{ key: 'click_count', operator: 'gt', value: 0 }] }
    expect(await found({ ...clicks, properties: [is('path', '/a')] })).toEqual(['ann', 'bob'])
  })

  it.each<[string, 'AND' | 'OR', object, unknown[]]>([
    [
      'an event or the person',
      'OR',
      { events: [event('paid', is('by', 'card'))], properties: [ofPerson('free')] },
      ['ann', 'bob'],
    ],
    ['an event and the person', 'AND', { events: [event('paid')], properties: [ofPerson('free')] }, ['bob']],
    [
      'an event or nobody',
      'OR',
      { events: [event('paid', is('by', 'card'))], properties: [ofPerson('', 'is_not_set')] },
      ['ann', 'cem', 'dee'],
    ],
    [
      'an event or clicks',
      'OR',
      {
        events: [event('paid', is('by', 'cash'))],
        having_predicates: [{ key: 'click_count', operator: 'gt', value: 1e6 }],
      },
      ['bob'],
    ],
    [
      'one of two events',
      'OR',
      { events: [event('paid', is('by', 'cash')), event('$pageview', is('path', '/b'))] },
      ['ann', 'bob', 'cem'],
    ],
  ])('finds %s', async (_name, operand, query, expected) => {
    expect(await found({ ...query, operand })).toEqual(expected)
  })

  it('finds sessions whatever the case of their ids, and none whose id is no UUID', async () => {
    const sessionId = uuidV7(app.clock.now() - HOUR)
    const written = sessionId.toUpperCase()
    names.set(written, 'capitals').set('no uuid', 'none')
    await makeEvents(app, [
      { projectId, sessionId, event: 'shouted', properties: {}, timestamp: app.clock.now() - HOUR },
    ])
    for (const id of [written, 'no uuid']) await makeRecording(app, { projectId, sessionId: id, distinctId: 'loud' })
    expect(await found({ events: [event('shouted')] })).toEqual(['capitals'])
    for (const id of [written, 'no uuid']) {
      await app.call('DELETE', `/api/environments/${projectId}/session_recordings/${encodeURIComponent(id)}/`)
    }
  })

  it('finds nothing of another project', async () => {
    const other = (await makeProject(app)).id
    const sessionId = uuidV7(app.clock.now() - HOUR)
    await makeEvents(app, [{ projectId: other, sessionId, event: 'paid', properties: { by: 'card' } }])
    await makeRecording(app, { projectId, sessionId: sessionId.toUpperCase(), distinctId: 'elsewhere' })
    expect(await found({ properties: [is('by', 'card')] })).toEqual(['ann'])
    await app.call('DELETE', `/api/environments/${projectId}/session_recordings/${sessionId.toUpperCase()}/`)
  })

  const many = (count: number) => Array.from({ length: count }, () => is('by', 'card'))
  it.each<[string, unknown, string]>([
    [
      'events',
      [event('x', { key: 'a', operator: 'tomato', value: 1 })],
      "events[0]: properties[0]: unknown operator 'tomato'.",
    ],
    [
      'events',
      [event('x'), event('y', { key: 'a', type: 'group', value: 1 })],
      "events[1]: properties[0]: filters of type 'group'",
    ],
    ['events', [event('x', { key: 'a', type: 'cohort', value: 1 })], "filters of type 'cohort' cannot match"],
    ['events', [{ id: 'x', properties: 'a' }], 'events[0]: Properties must be a list of filters or a group of them.'],
    ['events', [event('x'), event(null, is('by', '(', 'regex'))], 'events[1]: A pattern cannot be read: '],
    ['events', Array(51).fill(event('x')), 'At most 50 conditions on events are allowed.'],
    ['properties', [is('by', '(', 'regex')], 'A pattern cannot be read: '],
    ['properties', many(51), 'At most 50 conditions on events are allowed.'],
    [
      'properties',
      [{ ...is('by', 1), type: 'group' }],
      "properties[0]: filters of type 'group' are not supported here",
    ],
    [
      'properties',
      [{ ...is('by', 1), type: 'hogql' }],
      "properties[0]: filters of type 'hogql' are not supported here",
    ],
    ['properties', [{ ...is('by', 1), type: 'session' }], "only 'event' and 'person' are."],
  ])('refuses %s=%j', async (attr, value, detail) => {
    const response = await ask({ [attr]: value })
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ type: 'validation_error', attr, detail: expect.stringContaining(detail) })
  })
})

describe('GET session_recordings/matching_events/ by properties', () => {
  const matching = async (query: Record<string, unknown>) => {
    const [ann] = names.keys()
    return ask({ session_ids: [ann], ...query }, 'matching_events/')
  }
  /** Which of the events of the session, by the second in which they happened. */
  const seconds = async (query: Record<string, unknown>) => {
    const response = await matching(query)
    expect(response.statusCode, response.body).toBe(200)
    const start = app.clock.now() - HOUR
    return response
      .json()
      .results.map(({ timestamp }: { timestamp: string }) => (Date.parse(timestamp) - start) / 1_000)
  }

  it.each<[Record<string, unknown>, number[]]>([
    [{ events: [event('$pageview', is('path', '/b'))] }, [1]],
    [{ events: [event(null, is('browser', null, 'is_set'))] }, [0, 1]],
    [{ events: [event('$pageview', is('path', '/b')), event('paid')] }, [1, 2]],
    [{ events: [event('paid', ofPerson('free'))] }, []],
    [{ properties: [is('by', 'card')] }, [2]],
    [{ properties: [is('path', '/a'), { key: 'by', value: 'card' }] }, [0, 2]],
    [{ properties: [is('path', '/a')], events: [event('$pageview')] }, [0, 1]],
  ])('finds the union of %j', async (query, expected) => {
    expect(await seconds(query)).toEqual(expected)
  })

  it.each<[unknown, string]>([
    [[ofPerson('pro')], "properties[0]: filters of type 'person' are not supported here; only 'event' is."],
    [
      [{ ...is('by', 1), type: 'group' }],
      "properties[0]: filters of type 'group' are not supported here; only 'event' is.",
    ],
    [[{ ...is('by', 1), type: 'cohort' }], "properties[0]: filters of type 'cohort' cannot match"],
  ])('refuses properties=%j', async (properties, detail) => {
    const response = await matching({ properties })
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ attr: 'properties', detail: expect.stringContaining(detail) })
  })
})

describe('the searches of one list', () => {
  /** A list with this many conditions on events, with a clock on which each search takes four seconds. */
  const listOf = (conditions: number) => {
    let steady = 0
    const clock = {
      now: () => app.clock.now(),
      steady: () => {
        steady += 4_000
        return steady
      },
    }
    const { list } = createRecordingList({ stores: app.stores, clock })
    const project = { id: projectId } as Project
    const caller = { user: { id: 1 } } as Caller
    const events = JSON.stringify(Array.from({ length: conditions }, () => event('paid')))
    return list({ project, caller }, { events }, { limit: 10, offset: 0 }, new AbortController().signal)
  }

  it('share the time that a list may take', async () => {
    expect((await listOf(2)).count).toBe(2)
    await expect(listOf(5)).rejects.toMatchObject({ kind: 'timeout', code: 'timeout' })
  })
})

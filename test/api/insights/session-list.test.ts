/** Sessions: the list, its filters, orders and pages, and one of them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uuidV7 } from '../../../src/lib/ids.ts'
import { itIsGuarded } from '../../support/access.ts'
import { makeApp, type TestApp } from '../../support/app.ts'
import { makeEvents, makeKey, makePerson, makeProject, makeRecording } from '../../support/make.ts'

const MINUTE = 60_000

let app: TestApp
let now: number
let person: { id: number; uuid: string }
/** Oldest first: Ann's with a recording, Bob's, and one of nobody. */
let ids: [string, string, string]

beforeAll(async () => {
  app = await makeApp()
  now = app.clock.now()
  const starts = [now - 3_000 * MINUTE, now - 60 * MINUTE, now - 10 * MINUTE]
  ids = starts.map((start) => uuidV7(start)) as typeof ids
  const [ann, bob, nobody] = ids
  person = await makePerson(app, {
    distinctIds: ['ann', 'ann-2'],
    properties: { email: 'ann@example.com', plan: 'pro' },
  })
  await makePerson(app, { distinctIds: ['bob'], properties: {} })
  const visit = (sessionId: string, distinctId: string, at: number, properties: object, event = '$pageview') => ({
    sessionId,
    distinctId,
    timestamp: at,
    event,
    properties: properties as Record<string, unknown>,
  })
  const [first, second, third] = starts as [number, number, number]
  await makeEvents(app, [
    visit(ann, 'ann', first, { $current_url: 'https://shop.example/in?a=1', utm_source: 'google' }),
    visit(ann, 'ann-2', first + 90_500, { $current_url: 'https://shop.example/out' }),
    visit(ann, 'ann', first + 1_000, { $web_vitals_LCP_value: 812.5 }, '$web_vitals'),
    visit(bob, 'bob', second, { $current_url: 'https://shop.example/in', utm_source: 'bing' }),
    visit(nobody, 'nobody', third, { $referring_domain: '$direct' }),
    visit(nobody, 'nobody', third + 20_000, {}, '$autocapture'),
    { distinctId: 'ann', timestamp: now, event: 'without a session' },
  ])
  await makeRecording(app, { sessionId: ann, distinctId: 'ann', startAt: first + 500, endAt: first + 80_000 })
})
afterAll(() => app.end())

const ask = (query: Record<string, string> = {}, project: number | string = 1) =>
  app.call('GET', `/api/environments/${project}/sessions/`, { query })
const found = async (query: Record<string, string> = {}): Promise<string[]> => {
  const answer = await ask(query)
  expect([answer.statusCode, answer.body.slice(0, 200)]).toEqual([200, expect.any(String)])
  return answer.json().results.map((row: { id: string }) => row.id)
}
const where = (key: string, operator: string, value: unknown = null) =>
  JSON.stringify([{ key, operator, value, type: 'session' }])

describe('GET sessions/', () => {
  itIsGuarded(() => app, { method: 'GET', path: () => '/sessions/', scope: 'query:read', status: 200 })

  it.each(['person:read', 'session_recording:read'])('is open to %s too', async (scope) => {
    const key = await makeKey(app, { scopes: [scope] })
    expect((await app.call('GET', '/api/environments/1/sessions/', { key })).statusCode).toBe(200)
  })

  it('lists sessions, newest first, with their person, their recording and every property', async () => {
    const { next, previous, results } = (await ask()).json()
    expect([next, previous]).toEqual([null, null])
    expect(results.map((row: { id: string }) => row.id)).toEqual(ids.toReversed())
    const { properties, ...row } = results[2]
    const start = new Date(now - 3_000 * MINUTE).toISOString()
    expect(row).toEqual({
      id: ids[0],
      distinct_id: 'ann',
      person: {
        id: person.id,
        uuid: person.uuid,
        name: 'ann@example.com',
        distinct_ids: ['ann'],
        properties: { email: 'ann@example.com' },
        created_at: expect.any(String),
      },
      start_time: expect.stringContaining(start.slice(0, 19)),
      end_time: expect.any(String),
      duration: 90,
      has_recording: true,
      recording: {
        start_time: expect.any(String),
        end_time: expect.any(String),
        recording_duration: 79,
        active_seconds: expect.any(Number),
        expiry_time: expect.any(String),
      },
    })
    const { results: definitions } = (
      await app.call('GET', '/api/environments/1/sessions/property_definitions/')
    ).json()
    expect(Object.keys(properties)).toEqual(definitions.map(({ name }: { name: string }) => name))
    expect(properties).toMatchObject({
      $start_timestamp: row.start_time,
      $end_timestamp: row.end_time,
      $entry_current_url: 'https://shop.example/in?a=1',
      $entry_pathname: '/in',
      $entry_hostname: 'shop.example',
      $end_pathname: '/out',
      $entry_utm_source: 'google',
      $entry_utm_medium: null,
      $pageview_count: 2,
      $autocapture_count: 0,
      $screen_count: 0,
      $channel_type: 'Organic Search',
      $session_duration: 90,
      $is_bounce: false,
      $last_external_click_url: null,
      $vitals_lcp: 812.5,
    })
    expect(results[0]).toMatchObject({ distinct_id: 'nobody', person: null, has_recording: false, recording: null })
  })

  it('has an order, and pages that lead both ways', async () => {
    const [ann, bob, nobody] = ids
    expect(await found({ ordering: 'start_time' })).toEqual([ann, bob, nobody])
    expect(await found({ ordering: '-duration' })).toEqual([ann, nobody, bob])
    expect(await found({ ordering: 'duration' })).toEqual([bob, nobody, ann])
    for (const ordering of ['start_time', '-start_time', 'duration', '-duration']) {
      const all = await found({ ordering })
      const follow = async (link: string) => (await app.call('GET', link.replace(/^https?:\/\/[^/]+/, ''))).json()
      const first = (await ask({ ordering, limit: '1' })).json()
      const second = await follow(first.next)
      const third = await follow(second.next)
      const pages = [first, second, third, await follow(third.previous)]
      expect(pages.map(({ results }) => results[0].id)).toEqual([...all, all[1]])
      expect([first.previous, third.next]).toEqual([null, null])
      expect((await follow(pages[3].previous)).previous).toBeNull()
    }
  })

  it('filters by person, recording, time and properties', async () => {
    const [ann, bob, nobody] = ids
    expect(await found({ person_id: String(person.id) })).toEqual([ann])
    expect(await found({ person_id: person.uuid })).toEqual([ann])
    expect(await found({ person_id: '999999' })).toEqual([])
    expect(await found({ has_recording: 'true' })).toEqual([ann])
    expect(await found({ has_recording: 'false' })).toEqual([nobody, bob])
    expect(await found({ has_recording: 'false', limit: '1', ordering: 'start_time' })).toEqual([bob])
    expect(await found({ date_from: '-2h' })).toEqual([nobody, bob])
    expect(await found({ date_to: '-30h' })).toEqual([ann])
    expect(await found({ date_from: 'all', date_to: new Date(now).toISOString().slice(0, 10) })).toEqual([
      nobody,
      bob,
      ann,
    ])
    expect(await found({ properties: where('$entry_utm_source', 'exact', ['google', 'bing']) })).toEqual([bob, ann])
    expect(await found({ properties: where('$is_bounce', 'exact', ['1']) })).toEqual([bob])
    expect(await found({ properties: where('$is_bounce', 'exact', false) })).toEqual([nobody, ann])
    expect(await found({ properties: where('$session_duration', 'gte', 20) })).toEqual([nobody, ann])
    expect(await found({ properties: where('$start_timestamp', 'is_date_after', '-2h') })).toEqual([nobody, bob])
    expect(await found({ properties: where('$vitals_lcp', 'is_set'), person_id: '' })).toEqual([ann])
  })

  it('pages by recording as without it', async () => {
    const follow = async (link: string) => (await app.call('GET', link.replace(/^https?:\/\/[^/]+/, ''))).json()
    const first = (await ask({ has_recording: 'false', limit: '1' })).json()
    const second = await follow(first.next)
    expect([first.results[0].id, second.results[0].id, second.next]).toEqual([ids[2], ids[1], null])
    const back = await follow(second.previous)
    expect([back.results[0].id, back.previous]).toEqual([ids[2], null])
  })

  it.each<[Record<string, string>, string]>([
    [{ person_id: 'ann' }, 'person_id'],
    [{ has_recording: 'maybe' }, 'has_recording'],
    [{ date_from: 'soon' }, 'date_from'],
    [{ date_to: '2026-99-99' }, 'date_to'],
    [{ ordering: 'end_time' }, 'ordering'],
    [{ limit: '0' }, 'limit'],
    [{ cursor: 'x' }, 'cursor'],
    [{ cursor: Buffer.from('["f",1e300,"018f0000-0000-7000-8000-000000000001"]').toString('base64url') }, 'cursor'],
    [{ properties: '[' }, 'properties'],
    [{ properties: where('utm_source', 'exact', 'x') }, 'properties'],
    [{ properties: where('__proto__', 'is_set') }, 'properties'],
    [{ properties: where('$entry_utm_source', 'is_date_after', '-7d') }, 'properties'],
    [{ properties: where('$start_timestamp', 'icontains', '2026') }, 'properties'],
    [{ properties: where('$entry_pathname', 'regex', '(') }, 'properties'],
    [{ properties: '[{"key":"$entry_pathname","value":"/","type":"event"}]' }, 'properties'],
  ])('refuses %j', async (query, attr) => {
    const answer = await ask(query)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ type: 'validation_error', attr, detail: expect.any(String) })
  })

  it('is sent as CSV, as a whole or as a page', async () => {
    const { statusCode, headers, body } = await ask({ format: 'csv', ordering: 'start_time' })
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
    const lines = body.trim().split('\r\n')
    expect(lines).toHaveLength(4)
    expect(lines[0]).toContain('properties.$entry_utm_source')
    expect(lines.slice(1).map((line) => ids.findIndex((id) => line.includes(id)))).toEqual([0, 1, 2])
    const recorded = await ask({ format: 'csv', has_recording: 'true' })
    expect(recorded.body.trim().split('\r\n')).toHaveLength(2)
    expect((await ask({ format: 'csv', limit: '2' })).body.trim().split('\r\n')).toHaveLength(3)
  })

  it('knows nothing of another project', async () => {
    const other = await makeProject(app)
    expect((await ask({}, other.id)).json().results).toEqual([])
    expect((await app.call('GET', `/api/environments/${other.id}/sessions/${ids[0]}/`)).statusCode).toBe(404)
    expect((await ask({ person_id: String(person.id) }, other.id)).json().results).toEqual([])
  })
})

describe('GET sessions/{session_id}/', () => {
  itIsGuarded(() => app, { method: 'GET', path: () => `/sessions/${ids[0]}/`, scope: 'query:read', status: 200 })

  it('is the row of the list', async () => {
    const { results } = (await ask()).json()
    for (const row of results) {
      const answer = await app.call('GET', `/api/environments/1/sessions/${row.id.toUpperCase()}/`)
      expect([answer.statusCode, answer.json()]).toEqual([200, row])
    }
  })

  it.each(['018f0000-0000-7000-8000-000000000001', 'x', '00000000-0000-0000-0000-000000000000'])(
    'is 404 for %s',
    async (id) => {
      const answer = await app.call('GET', `/api/environments/1/sessions/${id}/`)
      expect([answer.statusCode, answer.json().code]).toEqual([404, 'not_found'])
    },
  )
})

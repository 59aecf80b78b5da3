/** The demo: what it shows, and that it is complete or made again, wherever it was interrupted. */
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addDemo, type DemoParts } from '../../../src/demo/demo.ts'
import { rememberNothing } from '../../../src/http/route.ts'
import { OperatorError } from '../../../src/lib/errors.ts'
import { HOUR, MINUTE } from '../../../src/lib/time/time.ts'
import { countEvents } from '../../../src/stores/contract/count-events.ts'
import { expectSame } from '../../../src/stores/contract/same-answer.ts'
import { makeApp, type TestApp } from '../../support/app.ts'

let app: TestApp
beforeEach(async () => {
  app = await makeApp()
})
afterEach(() => app.end())

type Way = 'capture' | 'record' | 'subscribe'

/** The intake functions, one of which fails at its n-th use. */
function partsOf({ stores, features, clock }: TestApp, breaks?: { way: Way; at: number }): DemoParts {
  const uses = { capture: 0, record: 0, subscribe: 0 }
  const unlessBroken = (way: Way) => {
    uses[way] += 1
    if (way === breaks?.way && uses[way] === breaks.at) throw new Error('interrupted')
  }
  return {
    stores,
    now: clock.now(),
    capture: async (request) => {
      unlessBroken('capture')
      return features.capture.accept({ ...request, isPlain: false })
    },
    record: async (body) => {
      unlessBroken('record')
      const headers = { 'content-type': 'application/json' }
      const call = { method: 'POST', params: {}, query: {}, headers, ip: () => '', hold: () => {}, note: () => {} }
      return features.replay.accept({ ...call, body: Buffer.from(JSON.stringify(body)) })
    },
    subscribe: async (actor, body) => {
      unlessBroken('subscribe')
      return features.subscriptions.create(actor, body, rememberNothing)
    },
    reportTo: null,
    progress: () => {},
  }
}

async function contents({ call, stores }: TestApp, project: number) {
  const count = async (path: string) =>
    (await call('GET', `/api/environments/${project}/${path}/`, { query: { limit: '1' } })).json().count
  return {
    events: await countEvents(stores.events, project),
    persons: await count('persons'),
    recordings: (await stores.blobs.list(`${project}/`)).length,
    subscriptions: await count('subscriptions'),
    insights: await count('insights'),
    dashboards: await count('dashboards'),
  }
}

const names = async (one: TestApp) =>
  (await one.call('GET', '/api/projects/')).json().results.map((project: { name: string }) => project.name)

it('is made again when it was interrupted, and kept when it was not', async () => {
  const whole = await addDemo(partsOf(app))
  const expected = await contents(app, whole.id)
  expect(expected).toMatchObject({ recordings: 6, subscriptions: 2, dashboards: 1 })
  expect(expected.events).toBeGreaterThan(5_000)
  const other = await makeApp()
  try {
    for (const breaks of [
      { way: 'capture', at: 3 },
      { way: 'record', at: 4 },
      { way: 'subscribe', at: 2 },
    ] as const) {
      await expect(addDemo(partsOf(other, breaks))).rejects.toThrow('interrupted')
      expect(await names(other)).toEqual(['Default project', 'Demo shop (unfinished)'])
    }
    const mended = await addDemo(partsOf(other))
    expect(await contents(other, mended.id)).toEqual(expected)
    expect(await names(other)).toEqual(['Default project', 'Demo shop'])
    for (const gone of [2, 3, 4]) {
      expect(await countEvents(other.stores.events, gone)).toBe(0)
      expect(await other.stores.blobs.list(`${gone}/`)).toEqual([])
    }
    expect(await addDemo(partsOf(other, { way: 'capture', at: 1 }))).toEqual(mended)
  } finally {
    await other.end()
  }
})

describe('what the demo shows', () => {
  const api = async (path: string, query: Record<string, string> = {}) =>
    (await app.call('GET', `/api/environments/2/${path}`, { query })).json()

  it('six recordings that differ, of which none goes on', async () => {
    await addDemo(partsOf(app))
    const { results } = await api('session_recordings/')
    expect(results).toHaveLength(6)
    for (const measure of ['recording_duration', 'end_time', 'distinct_id']) {
      expect(new Set(results.map((recording: Record<string, unknown>) => recording[measure])).size).toBe(6)
    }
    for (const one of results) {
      expect(one).toMatchObject({ ongoing: false, start_url: expect.stringMatching(/^https:/) })
      expect(one.click_count).toBeGreaterThan(0)
    }
    for (const measure of ['click_count', 'mouse_activity_count', 'start_url']) {
      expect(new Set(results.map((recording: Record<string, unknown>) => recording[measure])).size).toBeGreaterThan(1)
    }
  })
  it('numbers up to now: today has its share of them', async () => {
    await addDemo(partsOf(app))
    const query = {
      kind: 'TrendsQuery',
      interval: 'hour',
      dateRange: { date_from: '-24h' },
      series: [{ kind: 'EventsNode', event: null }],
    }
    const answer = await app.call('POST', '/api/environments/2/query/', { body: { query } })
    const [{ data }] = answer.json().results as [{ data: number[] }]
    // The hour that has begun, and the one before.
    expect((data.at(-1) ?? 0) + (data.at(-2) ?? 0)).toBeGreaterThan(0)
    expect(data.filter((count) => count > 0).length).toBeGreaterThan(8)
  })
  it('a report that is paused, and one that runs and whose history says what it lacks', async () => {
    await addDemo(partsOf(app))
    const { results } = await api('subscriptions/')
    const [daily, weekly] = results
    expect([weekly.title, weekly.enabled]).toEqual(['Weekly numbers', false])
    expect([daily.title, daily.enabled, daily.target_value]).toEqual(['Daily numbers', true, 'you@example.invalid'])
    const due = Date.parse(daily.next_delivery_date) - app.clock.now()
    expect(due).toBeGreaterThan(15 * MINUTE)
    expect(due).toBeLessThanOrEqual(2 * HOUR)
    expect((await api(`subscriptions/${weekly.id}/deliveries/`)).count).toBe(0)
    const history = await api(`subscriptions/${daily.id}/deliveries/`)
    expect(history.results[0]).toMatchObject({ status: 'failed', error: { type: 'not_configured' } })
  })
})

/** Asked of the demo of one instant: what each answered when properties were read from JSON and people joined by text. */
const NUMBERS = JSON.parse(readFileSync(new URL('../../fixtures/demo-numbers.json', import.meta.url), 'utf8')) as {
  at: string
  dashboard: Record<string, unknown>
  questions: { query: Record<string, unknown>; results: unknown }[]
}

it('has the same numbers in every version, of one instant', async () => {
  app.clock.set(Date.parse(NUMBERS.at))
  await addDemo(partsOf(app))
  const at = '/api/environments/2'
  const [{ id }] = (await app.call('GET', `${at}/dashboards/`)).json().results as [{ id: number }]
  const dashboard = await app.call('GET', `${at}/dashboards/${id}/`, { query: { refresh: 'force_blocking' } })
  const tiles = dashboard.json().tiles as { insight: { name: string; result: unknown } }[]
  expect(Object.fromEntries(tiles.map(({ insight }) => [insight.name, insight.result]))).toEqual(NUMBERS.dashboard)
  for (const { query, results } of NUMBERS.questions) {
    const answer = await app.call('POST', `${at}/query/`, { body: { query } })
    // Percentiles lie between two values, in the last digit as the processor computes it.
    expectSame(answer.json().results, results, query, 'interpolated')
  }
})

it('says what it needs: a first user with a key, in an organization', async () => {
  const [user] = await app.stores.users.list()
  await app.stores.transaction((tx) => tx.users.removeMemberships(user?.id ?? 0))
  await expect(addDemo(partsOf(app))).rejects.toThrow(
    new OperatorError('The demo needs a first user who is in an organization.'),
  )
  await app.stores.transaction((tx) => tx.keys.removeOfUser(user?.id ?? 0))
  const problem = await addDemo(partsOf(app)).catch((error: unknown) => error)
  expect(problem).toBeInstanceOf(OperatorError)
  expect((problem as Error).message).toMatch(/^The demo needs a user with a key/)
})

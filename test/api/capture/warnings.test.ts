/** Ingestion warnings: problems of incoming events, per project. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY, formatInstant } from '../../../src/lib/time/time.ts'
import { WARNINGS_KEPT } from '../../../src/model/events/intake.ts'
import { itIsGuarded } from '../../support/access.ts'
import { makeApp, type TestApp } from '../../support/app.ts'
import { makeProject } from '../../support/make.ts'

let app: TestApp
beforeAll(async () => {
  app = await makeApp()
})
afterAll(() => app.end())

const ask = (query: Record<string, string>, project: number) =>
  app.call('GET', `/api/environments/${project}/ingestion_warnings/`, { query })
const capture = (token: string, batch: unknown[]) =>
  app.server.inject({ method: 'POST', url: '/batch/', payload: { api_key: token, batch } })

describe('GET ingestion_warnings/', () => {
  itIsGuarded(() => app, { method: 'GET', path: () => '/ingestion_warnings/', scope: 'project:read', status: 200 })

  it('shows what was dropped and what was doubtful, newest first, and nothing of other projects', async () => {
    const { id, apiToken } = await makeProject(app)
    const other = await makeProject(app)
    expect((await ask({}, id)).json()).toEqual({ count: 0, next: null, previous: null, results: [] })
    const dropped = await capture(apiToken, [{ event: 'good', distinct_id: 'x' }, { event: 'bad' }, 'worse'])
    expect(dropped.statusCode).toBe(200)
    app.clock.advance(1_000)
    const wish = { $process_person_profile: { deep: [null, 1.5] } }
    await capture(apiToken, [{ event: 'odd', distinct_id: 'x', properties: wish }])
    const { count, results } = (await ask({}, id)).json()
    expect([count, results.length]).toEqual([3, 3])
    expect(results[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      type: 'invalid_process_person_profile',
      details: { value: { deep: [null, 1.5] }, distinctId: 'x', eventUuid: expect.stringMatching(/^[0-9a-f-]{36}$/) },
      created_at: '2026-03-04T12:00:01Z',
    })
    const older = results.slice(1).map(({ type, details }: { type: string; details: object }) => ({ type, details }))
    expect(older).toEqual(
      expect.arrayContaining([
        { type: 'missing_distinct_id', details: { index: 1, step: 'distinct_id' } },
        { type: 'invalid_event', details: { index: 2, step: 'bound' } },
      ]),
    )
    expect((await ask({}, other.id)).json().count).toBe(0)
  })

  it('filters by type and returns pages', async () => {
    const { id, apiToken } = await makeProject(app)
    await capture(apiToken, [{ event: 'good', distinct_id: 'x' }, 1, 2, 3, { event: 'bad' }])
    expect((await ask({ type: 'missing_distinct_id' }, id)).json().count).toBe(1)
    expect((await ask({ type: "x' OR 1=1" }, id)).json().count).toBe(0)
    expect((await ask({ type: '' }, id)).json().count).toBe(4)
    const page = (await ask({ type: 'invalid_event', limit: '2' }, id)).json()
    expect([page.count, page.results.length, page.previous]).toEqual([3, 2, null])
    const next = new URL(page.next)
    const rest = (await app.call('GET', next.pathname + next.search)).json()
    const ids = [...page.results, ...rest.results].map((warning: { id: string }) => warning.id)
    expect([rest.next, new Set(ids).size]).toEqual([null, 3])
  })

  it('keeps them for 30 days, and the newest of endless bad events', async () => {
    const { id, apiToken } = await makeProject(app)
    const rubbish = Array.from({ length: 1_000 }, () => 1)
    for (let sent = 0; sent < 12; sent++) {
      app.clock.advance(1)
      await capture(apiToken, rubbish)
    }
    // Some that are not trimmed as they come.
    app.clock.advance(1)
    await capture(apiToken, rubbish.slice(0, 300))
    const { count, results } = (await ask({}, id)).json()
    expect(count).toBeGreaterThan(WARNINGS_KEPT)
    expect(count).toBeLessThan(WARNINGS_KEPT + 500)
    expect(results[0].created_at).toBe(formatInstant(app.clock.now()))
    await app.runner.runDue()
    expect((await ask({}, id)).json().count).toBe(WARNINGS_KEPT)
    app.clock.advance(29 * DAY)
    await capture(apiToken, [{ event: 'good', distinct_id: 'x' }, 1])
    await app.runner.runDue()
    expect((await ask({}, id)).json().count).toBe(WARNINGS_KEPT)
    app.clock.advance(2 * DAY)
    await app.runner.runDue()
    expect((await ask({}, id)).json().count).toBe(1)
  })

  it.each([
    [{ limit: '0' }, 'limit', 'min_value'],
    [{ offset: 'x' }, 'offset', 'invalid_input'],
  ])('refuses %j', async (query, attr, code) => {
    const response = await ask(query as unknown as Record<string, string>, 1)
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ type: 'validation_error', code, attr })
  })
})

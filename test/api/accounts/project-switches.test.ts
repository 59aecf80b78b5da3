/** What a project switches on and off: exceptions, web vitals, heatmaps, dead clicks, and visitors' addresses. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeApp, type TestApp } from '../../support/app.ts'
import { makeProject } from '../../support/make.ts'

const DEFAULTS = {
  autocapture_exceptions_opt_in: false,
  autocapture_web_vitals_opt_in: false,
  heatmaps_opt_in: false,
  capture_dead_clicks: false,
  anonymize_ips: true,
}
const OPPOSITE = Object.fromEntries(Object.entries(DEFAULTS).map(([name, value]) => [name, !value]))
const NAMES = Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[]

let app: TestApp
beforeAll(async () => {
  app = await makeApp()
})
afterAll(() => app.end())

const newProject = async () => {
  const { id, apiToken } = await makeProject(app)
  return { path: `/api/projects/${id}/`, id, apiToken }
}
const config = async (token: string) => (await app.server.inject(`/array/${token}/config`)).json()

describe('a project', () => {
  it('captures none of it, and no addresses, unless it is told to', async () => {
    expect((await app.call('GET', '/api/projects/1/')).json()).toMatchObject(DEFAULTS)
    expect((await app.call('GET', (await newProject()).path)).json()).toMatchObject(DEFAULTS)
  })

  it.each(NAMES)('%s is switched on its own, and back', async (name) => {
    const { path } = await newProject()
    for (const value of [!DEFAULTS[name], DEFAULTS[name]]) {
      const patched = await app.call('PATCH', path, { body: { [name]: value } })
      expect(patched.statusCode).toBe(200)
      expect(patched.json()).toMatchObject({ ...DEFAULTS, [name]: value })
      expect((await app.call('GET', path)).json()).toMatchObject({ ...DEFAULTS, [name]: value })
    }
  })

  it('may be created with all of them', async () => {
    const made = await app.call('POST', '/api/projects/', { body: { name: 'Switched', ...OPPOSITE } })
    expect(made.statusCode).toBe(201)
    expect(made.json()).toMatchObject(OPPOSITE)
  })

  it.each(NAMES)('%s refuses what is not a boolean', async (name) => {
    const { path } = await newProject()
    for (const value of ['yes', 1, null, {}]) {
      const refused = await app.call('PATCH', path, { body: { [name]: value } })
      expect(refused.statusCode).toBe(400)
      expect(refused.json()).toMatchObject({ type: 'validation_error', attr: name })
    }
    expect((await app.call('GET', path)).json()).toMatchObject(DEFAULTS)
  })

  it('notes in its activity log what was switched', async () => {
    const { id, path } = await newProject()
    await app.call('PATCH', path, { body: { anonymize_ips: false, heatmaps_opt_in: false } })
    const { results } = (await app.call('GET', '/api/environments/1/activity_log/?scope=Project')).json()
    const own = results.filter((entry: { item_id: string }) => entry.item_id === String(id))
    expect(own.map((entry: { detail: { changes: unknown } }) => entry.detail.changes)).toEqual([
      [{ type: 'Project', action: 'changed', field: 'anonymizeIps', before: true, after: false }],
    ])
  })
})

describe('the configuration of the SDKs', () => {
  const none = {
    capturePerformance: { network_timing: true, web_vitals: false },
    autocaptureExceptions: false,
    errorTracking: { autocaptureExceptions: false, suppressionRules: [] },
    captureDeadClicks: false,
    heatmaps: false,
  }
  it.each([
    [
      'autocapture_exceptions_opt_in',
      { autocaptureExceptions: true, errorTracking: { autocaptureExceptions: true, suppressionRules: [] } },
    ],
    ['autocapture_web_vitals_opt_in', { capturePerformance: { network_timing: true, web_vitals: true } }],
    ['heatmaps_opt_in', { heatmaps: true }],
    ['capture_dead_clicks', { captureDeadClicks: true }],
    ['anonymize_ips', {}],
  ])('follows %s at once, on every path that tells it', async (name, told) => {
    const { path, apiToken: token } = await newProject()
    expect(await config(token)).toMatchObject(none)
    await app.call('PATCH', path, { body: { [name]: !DEFAULTS[name as keyof typeof DEFAULTS] } })
    const expected = { ...none, ...told }
    const ask = async (url: string) =>
      (await app.server.inject({ method: 'POST', url, payload: JSON.stringify({ token, distinct_id: 'a' }) })).json()
    expect(await config(token)).toMatchObject(expected)
    // 1.160 to 1.200 know no other way.
    expect(await ask('/decide/?v=3')).toMatchObject(expected)
    expect(await ask('/flags/?v=2&config=true')).toMatchObject(expected)
    const window: { _POSTHOG_REMOTE_CONFIG?: Record<string, { config: unknown }> } = {}
    new Function('window', (await app.server.inject(`/array/${token}/config.js`)).body)(window)
    expect(window._POSTHOG_REMOTE_CONFIG?.[token]?.config).toMatchObject(expected)
  })
})

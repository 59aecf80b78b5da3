/** Keys, users and projects: what a key may see and do, and what it cannot access. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { countEvents } from '../../../src/stores/contract/count-events.ts'
import { makeApp, PROJECT_TOKEN, ROOT_KEY, type TestApp } from '../../support/app.ts'
import { makeEvents, makeKey, makePerson, makeProject, makeStranger } from '../../support/make.ts'

let app: TestApp
beforeEach(async () => {
  app = await makeApp()
})
afterEach(() => app.end())

const KEYS = '/api/personal_api_keys/'
const status = async (key: string) => (await app.call('GET', '/api/users/@me/', { key })).statusCode

describe('keys', () => {
  it('are made with a secret that is shown once and never stored', async () => {
    const made = await app.call('POST', KEYS, { body: { label: ' CI ', scopes: ['person:read'] } })
    expect(made.statusCode).toBe(201)
    expect(made.headers['cache-control']).toBe('no-store')
    const { value, mask_value, id, label } = made.json()
    expect(label).toBe('CI')
    expect(value).toMatch(/^phx_[0-9A-Za-z]{43}$/)
    expect(mask_value).toBe(`phx_...${value.slice(-4)}`)
    const read = (await app.call('GET', `${KEYS}${id}/`)).json()
    expect(read).toEqual({ ...made.json(), value: null })
    expect((await app.call('GET', '/api/environments/1/persons/1/', { key: value })).statusCode).toBe(404)
    const current = async () => (await app.call('GET', `${KEYS}@current/`, { key: value })).json()
    expect((await current()).id).toBe(id)
    // It is stored beside the answer.
    await expect.poll(async () => (await current()).last_used_at).toBe('2026-03-04T12:00:00Z')
  })
  it.each([
    [{}, 'label', 'required'],
    [{ label: '', scopes: ['*'] }, 'label', 'blank'],
    [{ label: ' \n', scopes: ['*'] }, 'label', 'blank'],
    [{ label: 'x'.repeat(41), scopes: ['*'] }, 'label', 'max_length'],
    [{ label: 'x' }, 'scopes', 'required'],
    [{ label: 'x', scopes: [] }, 'scopes', 'required'],
    [{ label: 'x', scopes: ['person:delete'] }, 'scopes', 'invalid_input'],
    [{ label: 'x', scopes: ['*'], scoped_teams: [99] }, 'scoped_teams', 'invalid_input'],
    [{ label: 'x', scopes: ['*'], scoped_organizations: ['nope'] }, 'scoped_organizations', 'invalid_input'],
    [{ label: 'x', scopes: ['*'], expires_at: '2026-02-30' }, 'expires_at', 'invalid_input'],
    [{ label: 'x', scopes: ['*'], expires_at: '2020-01-01' }, 'expires_at', 'invalid_input'],
  ])('are refused for %j', async (body, attr, code) => {
    const response = await app.call('POST', KEYS, { body })
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ attr, code })
    if (attr === 'scoped_organizations') expect(response.json().detail).toBe('Invalid organization UUID')
  })
  it('without limits have empty lists, never by null', async () => {
    const open = { scoped_teams: [], scoped_organizations: [] }
    for (const given of [{}, open, { scoped_teams: null, scoped_organizations: null }]) {
      const made = (await app.call('POST', KEYS, { body: { label: 'open', scopes: ['*'], ...given } })).json()
      expect(made).toMatchObject(open)
      expect((await app.call('GET', `${KEYS}${made.id}/`)).json()).toMatchObject(open)
      expect((await app.call('PATCH', `${KEYS}${made.id}/`, { body: { label: 'x' } })).json()).toMatchObject(open)
      expect((await app.call('POST', `${KEYS}${made.id}/roll/`)).json()).toMatchObject(open)
    }
    const { results } = (await app.call('GET', KEYS)).json()
    for (const key of results) expect([key.scoped_teams, key.scoped_organizations]).not.toContain(null)
    const confined = await app.call('POST', KEYS, { body: { label: 'one', scopes: ['*'], scoped_teams: [1] } })
    expect(confined.json()).toMatchObject({ scoped_teams: [1], scoped_organizations: [] })
    expect((await app.call('GET', '/api/projects/', { key: confined.json().value })).statusCode).toBe(200)
  })
  it('report every problem at once', async () => {
    const { errors } = (await app.call('POST', KEYS, { body: { label: 3 } })).json()
    expect(errors).toEqual([
      { attr: 'label', code: 'invalid_input', detail: 'Not a valid string.' },
      { attr: 'scopes', code: 'required', detail: 'This field is required.' },
    ])
  })
  it('are managed by keys with * only, but every key may read and roll itself', async () => {
    const key = await makeKey(app, { scopes: ['person:read'] })
    const { id } = (await app.call('GET', `${KEYS}@current/`, { key })).json()
    for (const [method, path] of [
      ['GET', KEYS],
      ['DELETE', `${KEYS}${id}/`],
      ['PATCH', `${KEYS}${id}/`],
    ] as const) {
      expect((await app.call(method, path, { key })).statusCode).toBe(403)
    }
    expect((await app.call('POST', KEYS, { key, body: { label: 'x', scopes: ['person:read'] } })).statusCode).toBe(403)
    const rolled = await app.call('POST', `${KEYS}@current/roll/`, { key })
    expect([rolled.statusCode, rolled.json().id]).toEqual([200, id])
    expect(await status(key)).toBe(401)
    expect((await app.call('GET', `${KEYS}@current/`, { key: rolled.json().value })).statusCode).toBe(200)
  })
  it('never have wider limits than the key that created them', async () => {
    const key = await makeKey(app, { scopedTeams: [1], expiresAt: app.clock.now() + 86_400_000 })
    const create = async (body: object) =>
      (await app.call('POST', KEYS, { key, body: { label: 'x', scopes: ['*'], ...body } })).statusCode
    const expires_at = '2026-03-05T00:00:00Z'
    expect(await create({ expires_at })).toBe(403)
    expect(await create({ scoped_teams: [1] })).toBe(403)
    expect(await create({ scoped_teams: [1], expires_at: '2027-01-01' })).toBe(403)
    expect(await create({ scoped_teams: [1], expires_at })).toBe(201)
  })
  it('never give a limited key one with wider limits', async () => {
    const confined = await makeKey(app, { scopedTeams: [1] })
    const wide = (await app.call('POST', KEYS, { body: { label: 'Wide', scopes: ['person:read'] } })).json()
    for (const [method, path] of [
      ['POST', `${KEYS}${wide.id}/roll/`],
      ['PATCH', `${KEYS}${wide.id}/`],
    ] as const) {
      expect((await app.call(method, path, { key: confined, body: { scopes: ['*'] } })).statusCode).toBe(403)
    }
    expect(await status(wide.value)).toBe(403)
    const expiring = await makeKey(app, { expiresAt: app.clock.now() + 1_000 })
    expect((await app.call('POST', `${KEYS}${wide.id}/roll/`, { key: expiring })).statusCode).toBe(403)
    expect((await app.call('POST', `${KEYS}@current/roll/`, { key: confined })).statusCode).toBe(200)
  })
  it('may be narrowed to a project of the organisation a key is confined to', async () => {
    const organization = (await app.stores.projects.find(1))?.organizationId ?? ''
    const key = await makeKey(app, { scopedOrganizations: [organization] })
    const create = async (body: object) =>
      (await app.call('POST', KEYS, { key, body: { label: 'x', scopes: ['*'], ...body } })).statusCode
    expect(await create({ scoped_teams: [1] })).toBe(201)
    expect(await create({ scoped_organizations: [organization] })).toBe(201)
    expect(await create({})).toBe(403)
  })
  it("are the user's own: others' are not found", async () => {
    const { key } = await makeStranger(app)
    const { id } = (await app.call('GET', `${KEYS}@current/`, { key })).json()
    for (const [method, path] of [
      ['GET', `${KEYS}${id}/`],
      ['DELETE', `${KEYS}${id}/`],
      ['POST', `${KEYS}${id}/roll/`],
    ] as const) {
      expect((await app.call(method, path)).statusCode).toBe(404)
    }
    const listed = (await app.call('GET', KEYS)).json()
    expect(listed.results.map((row: { id: string }) => row.id)).not.toContain(id)
  })
  it('stop working at once when deleted, and leave an entry without any part of the secret', async () => {
    const made = (await app.call('POST', KEYS, { body: { label: 'Doomed', scopes: ['*'] } })).json()
    expect(await status(made.value)).toBe(200)
    expect((await app.call('DELETE', `${KEYS}${made.id}/`)).statusCode).toBe(204)
    expect(await status(made.value)).toBe(401)
    const { items } = await app.stores.activity.page(
      {
        projectId: 1,
        organizationId: (await app.stores.projects.find(1))?.organizationId ?? '',
        scope: 'PersonalAPIKey',
      },
      { limit: 10, offset: 0 },
    )
    expect(items.map((item) => item.activity).sort()).toEqual(['created', 'deleted'])
    expect(JSON.stringify(items)).not.toContain(made.value.slice(-4))
  })
  it('revoked by another process stop working within a second', async () => {
    const made = (await app.call('POST', KEYS, { body: { label: 'x', scopes: ['*'] } })).json()
    expect(await status(made.value)).toBe(200)
    await app.stores.transaction((tx) => tx.keys.remove(made.id))
    app.clock.advance(999)
    expect(await status(made.value)).toBe(401)
  })
  it('record their last use at most hourly', async () => {
    const last = async () => (await app.stores.keys.listOfUser(1))[0]?.lastUsedAt
    await status(ROOT_KEY)
    // It is stored beside the answer.
    await expect.poll(last).toBe(app.clock.now())
    const first = await last()
    app.clock.advance(3_599_000)
    await status(ROOT_KEY)
    expect(await last()).toBe(first)
    app.clock.advance(2_000)
    await status(ROOT_KEY)
    await expect.poll(last).toBe(app.clock.now())
  })
})

describe('the user behind the key', () => {
  it('is shown, and can change its name and current project', async () => {
    const other = await makeProject(app)
    const body = { first_name: 'Ada', set_current_team: other.id }
    const changed = await app.call('PATCH', '/api/users/@me/', { body })
    expect(changed.statusCode).toBe(200)
    expect(changed.json()).toMatchObject({ first_name: 'Ada', team: { id: other.id }, email: 'admin@localhost' })
    expect((await app.call('GET', '/api/projects/@current/')).json().id).toBe(other.id)
  })
  it('cannot choose a project it cannot access', async () => {
    const { project } = await makeStranger(app)
    for (const id of [project.id, 999]) {
      const response = await app.call('PATCH', '/api/users/@me/', { body: { set_current_team: id } })
      expect(response.json()).toMatchObject({ code: 'does_not_exist', attr: 'set_current_team' })
    }
  })
})

describe('projects', () => {
  it('are listed as far as the key may access them', async () => {
    const second = await makeProject(app)
    const { key } = await makeStranger(app)
    const names = async (k: string) =>
      (await app.call('GET', '/api/projects/', { key: k })).json().results.map((row: { name: string }) => row.name)
    expect(await names(ROOT_KEY)).toEqual(['Default project', 'Second project'])
    expect(await names(await makeKey(app, { scopes: ['person:read'], scopedTeams: [second.id] }))).toEqual([
      'Second project',
    ])
    expect(await names(key)).toEqual(['Their project'])
  })
  it('page exactly, with links that keep the other parameters', async () => {
    for (const n of [2, 3]) await makeProject(app, `Project ${n}`)
    const page = (await app.call('GET', '/api/projects/?search=proj&limit=1&offset=1')).json()
    expect([page.count, page.results.length]).toEqual([3, 1])
    expect(page.next).toBe('http://localhost/api/projects/?search=proj&limit=1&offset=2')
    expect(page.previous).toBe('http://localhost/api/projects/?search=proj&limit=1')
  })
  it.each(['limit=abc', 'limit=-1', 'limit=0', 'limit=1e9', 'limit=1.5', 'offset=-1', 'offset=x'])(
    'refuse ?%s',
    async (query) => {
      expect((await app.call('GET', `/api/projects/?${query}`)).statusCode).toBe(400)
    },
  )
  it('treat a limit beyond the maximum as the maximum', async () => {
    const page = (await app.call('GET', '/api/projects/?limit=99999999999999999999')).json()
    expect(page.results.length).toBe(1)
  })
  it('are made, changed, given a new token and removed with all their data', async () => {
    const made = await app.call('POST', '/api/projects/', { body: { name: 'Shop', timezone: 'Europe/Berlin' } })
    expect(made.statusCode).toBe(201)
    const { id, api_token } = made.json()
    const path = `/api/projects/${id}/`
    const patched = await app.call('PATCH', path, {
      body: { session_recording_retention_period: '1y', events_retention_days: 30 },
    })
    expect(patched.json()).toMatchObject({
      name: 'Shop',
      timezone: 'Europe/Berlin',
      session_recording_retention_period: '1y',
    })
    const reset = (await app.call('POST', `${path}reset_token/`)).json()
    expect(reset.api_token).not.toBe(api_token)
    const person = await makePerson(app, { projectId: id, distinctIds: ['buyer'] })
    await makeEvents(app, [{ projectId: id, distinctId: 'buyer' }])
    expect(await countEvents(app.stores.events, id)).toBe(1)
    expect((await app.call('DELETE', path)).statusCode).toBe(204)
    expect((await app.call('GET', path)).statusCode).toBe(404)
    expect(await app.stores.persons.find(id, { id: person.id })).toBeNull()
    expect(await countEvents(app.stores.events, id)).toBe(0)
    expect((await app.call('POST', '/api/projects/', { body: { name: 'Next' } })).json().id).toBe(id + 1)
  })
  it.each([
    [{ timezone: 'Mars/Olympus' }, 'timezone', 'invalid_choice'],
    [{ session_recording_retention_period: '2y' }, 'session_recording_retention_period', 'invalid_choice'],
    [{ events_retention_days: 0 }, 'events_retention_days', 'min_value'],
    [{ name: '' }, 'name', 'blank'],
    [{ name: null }, 'name', 'null'],
  ])('refuse the settings %j', async (body, attr, code) => {
    const response = await app.call('PATCH', '/api/projects/1/', { body })
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ attr, code })
  })
  it('start with the token the operator chose', async () => {
    expect((await app.call('GET', '/api/projects/1/')).json().api_token).toBe(PROJECT_TOKEN)
  })
  it('build links from the public address when there is one', async () => {
    const published = await makeApp({ env: { HEDGEROW_PUBLIC_URL: 'https://stats.example.com/' } })
    await makeProject(published)
    const page = (await published.call('GET', '/api/projects/?limit=1')).json()
    await published.end()
    expect(page.next).toBe('https://stats.example.com/api/projects/?limit=1&offset=1')
  })
})

describe('health', () => {
  it('answers without a key, and says which store does not answer', async () => {
    expect((await app.call('GET', '/_health', { key: null })).json()).toEqual({ status: 'ok' })
    expect((await app.call('GET', '/_ready', { key: null })).json()).toEqual({
      status: 'ok',
      checks: {
        sql: 'ok',
        events: 'ok',
        blobs: 'ok',
        disk: 'ok',
        outbox: 'ok',
        jobs: 'ok',
        deletions: 'ok',
        clock: 'ok',
        mail: 'ok',
      },
    })
  })
  it('counts requests by route pattern, never by id', async () => {
    await app.call('GET', '/api/environments/1/persons/424242/')
    await app.call('POST', '/nothing/here/424242', { key: null })
    const { body } = await app.call('GET', '/metrics', { key: null })
    const counted = (labels: string) =>
      expect(body).toContain(`hedgerow_http_request_duration_seconds_count{${labels}}`)
    counted('method="GET",route="/api/environments/:project_id/persons/:id/",status="404"')
    counted('method="POST",route="(none)",status="404"')
    expect(body).toMatch(/hedgerow_outbox_rows \d/)
    expect(body).toMatch(/^process_cpu_seconds_total \d/m)
    expect(body).not.toContain('424242')
  })
  it('shows metrics by token when one is set', async () => {
    const token = 'metrics-token-0123456789'
    const guarded = await makeApp({ env: { HEDGEROW_METRICS_TOKEN: token } })
    const statuses = await Promise.all(
      [null, 'wrong', token].map(async (key) => (await guarded.call('GET', '/metrics', { key })).statusCode),
    )
    const { detail } = (await guarded.call('GET', '/metrics', { key: null })).json()
    await guarded.end()
    expect(statuses).toEqual([403, 403, 200])
    expect(detail).toBe('Metrics are open to HEDGEROW_METRICS_TOKEN only, as a bearer token.')
  })
})

/** Changing keys by key: which fields count, what the log records, and what a limited key may not change. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeApp, type TestApp } from '../../support/app.ts'
import { makeKey, makeProject } from '../../support/make.ts'

let app: TestApp
beforeEach(async () => {
  app = await makeApp()
})
afterEach(() => app.end())

const KEYS = '/api/personal_api_keys/'

interface MadeKey {
  id: string
  value: string
}

const make = async (body: object): Promise<MadeKey> => {
  const answer = await app.call('POST', KEYS, { body: { label: 'Export', scopes: ['person:read'], ...body } })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json()
}

/** The log entries of the key, newest first. */
async function entriesOf(id: string) {
  const { results } = (await app.call('GET', '/api/projects/1/activity_log/?scope=PersonalAPIKey')).json()
  return results.filter((entry: { item_id: string }) => entry.item_id === id)
}

describe('changing a key', () => {
  it('accepts the label and the scopes and nothing else', async () => {
    const { id, value } = await make({})
    const before = (await app.call('GET', `${KEYS}${id}/`)).json()
    const forged = {
      id: 'forged',
      userId: 77,
      user_id: 77,
      value: 'phx_forged',
      maskValue: 'phx_...forged',
      mask_value: 'phx_...forged',
      scopedTeams: [99],
      scoped_teams: [99],
      scopedOrganizations: ['forged'],
      expiresAt: 0,
      expires_at: '2020-01-01',
      createdAt: 0,
      lastUsedAt: 0,
      lastRolledAt: 0,
    }
    const answer = await app.call('PATCH', `${KEYS}${id}/`, { body: { ...forged, label: 'Import' } })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({ ...before, label: 'Import' })
    expect((await app.call('GET', `${KEYS}${id}/`)).json()).toEqual({ ...before, label: 'Import' })
    expect((await app.call('GET', `${KEYS}@current/`, { key: value })).statusCode).toBe(200)
    const [entry] = await entriesOf(id)
    expect(entry).toMatchObject({ item_id: id, activity: 'updated', detail: { name: 'Import' } })
    expect(JSON.stringify(entry)).not.toContain('forged')
  })

  it('is logged with the label and the scopes before and after', async () => {
    const { id } = await make({})
    await app.call('PATCH', `${KEYS}${id}/`, { body: { label: 'Import', scopes: ['person:write', 'insight:read'] } })
    const [entry] = await entriesOf(id)
    const change = (field: string, before: unknown, after: unknown) => ({
      type: 'PersonalAPIKey',
      action: 'changed',
      field,
      before,
      after,
    })
    expect(entry.detail.changes).toEqual([
      change('label', 'Export', 'Import'),
      change('scopes', ['person:read'], ['person:write', 'insight:read']),
    ])
  })

  it('leaves no entry when nothing changes', async () => {
    const { id } = await make({})
    for (const body of [{}, { label: 'Export', scopes: ['person:read'] }, { expires_at: '2020-01-01' }]) {
      expect((await app.call('PATCH', `${KEYS}${id}/`, { body })).statusCode).toBe(200)
    }
    expect((await entriesOf(id)).map((entry: { activity: string }) => entry.activity)).toEqual(['created'])
  })

  it('is refused for its scope before the body is read', async () => {
    const key = await makeKey(app, { scopes: ['person:write'] })
    const { id } = await make({})
    for (const [method, path] of [
      ['POST', KEYS],
      ['PATCH', `${KEYS}${id}/`],
      ['PATCH', `${KEYS}@current/`],
      ['PATCH', `${KEYS}nobody/`],
    ] as const) {
      for (const body of [{ label: 3, scopes: 'all' }, [], '{broken']) {
        const answer = await app.call(method, path, { key, body })
        expect([answer.statusCode, answer.json().detail]).toEqual([403, "API key missing required scope '*'"])
      }
    }
    const bad = await app.call('GET', `${KEYS}?limit=none`, { key })
    expect([bad.statusCode, bad.json().detail]).toEqual([403, "API key missing required scope '*'"])
  })
})

describe('a confined key', () => {
  const confinements = {
    'to a project': async () => ({ scopedTeams: [1] }),
    'to an organisation': async () => ({
      scopedOrganizations: [(await app.stores.projects.find(1))?.organizationId ?? ''],
    }),
    'in time': async () => ({ expiresAt: app.clock.now() + 3_600_000 }),
  }

  it.each(Object.entries(confinements))('%s neither changes, rolls nor deletes a wider one', async (_name, confine) => {
    const key = await makeKey(app, await confine())
    const wide = await make({ label: 'Wide' })
    for (const [method, path, body] of [
      ['PATCH', '', { label: 'Mine', scopes: ['*'] }],
      ['POST', 'roll/', undefined],
      ['DELETE', '', undefined],
    ] as const) {
      const answer = await app.call(method, `${KEYS}${wide.id}/${path}`, { key, ...(body ? { body } : {}) })
      expect([method, answer.statusCode, answer.json().code]).toEqual([method, 403, 'permission_denied'])
    }
    expect((await app.call('GET', `${KEYS}@current/`, { key: wide.value })).json()).toMatchObject({
      label: 'Wide',
      scopes: ['person:read'],
    })
    expect((await entriesOf(wide.id)).length).toBe(1)
  })

  it('changes and deletes what is within its limits, and itself', async () => {
    const other = await makeProject(app)
    const key = await makeKey(app, { scopedTeams: [1, other.id] })
    const narrow = await make({ scoped_teams: [other.id] })
    expect((await app.call('PATCH', `${KEYS}${narrow.id}/`, { key, body: { label: 'Mine' } })).statusCode).toBe(200)
    expect((await app.call('DELETE', `${KEYS}${narrow.id}/`, { key })).statusCode).toBe(204)
    expect((await app.call('PATCH', `${KEYS}@current/`, { key, body: { label: 'Me' } })).statusCode).toBe(200)
    expect((await app.call('DELETE', `${KEYS}@current/`, { key })).statusCode).toBe(204)
  })
})

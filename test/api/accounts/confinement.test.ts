/** What a limited key can see: its own projects and organisations, and no sign of the others. */
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Project } from '../../../src/model/accounts/project.ts'
import { createProject } from '../../../src/rules/accounts/new-project.ts'
import { makeApp, ROOT_KEY, type TestApp } from '../../support/app.ts'
import { makeKey, makeProject, makeStranger } from '../../support/make.ts'

const ME = '/api/users/@me/'
const KEYS = '/api/personal_api_keys/'

let app: TestApp
/** Another organisation of the first user. */
let elsewhere: Project
let home: string

beforeEach(async () => {
  app = await makeApp()
  home = (await app.stores.projects.find(1))?.organizationId ?? ''
  elsewhere = await app.stores.transaction(async (tx) => {
    const id = randomUUID()
    await tx.users.createOrganization({ id, name: 'Second organization', createdAt: app.clock.now() })
    await tx.users.addMember(id, 1, 15)
    return createProject(tx, { name: 'Elsewhere', organizationId: id, createdById: 1 }, app.clock.now())
  })
})
afterEach(() => app.end())

const me = async (key: string) => (await app.call('GET', ME, { key })).json()
const choose = (key: string, id: number) => app.call('PATCH', ME, { key, body: { set_current_team: id } })

describe('the user behind a confined key', () => {
  it('has the project that @current means, and the organisation of that project', async () => {
    const second = await makeProject(app)
    const cases: [Parameters<typeof makeKey>[1], number, string][] = [
      [{}, 1, home],
      [{ scopedTeams: [second.id] }, second.id, home],
      [{ scopedTeams: [elsewhere.id] }, elsewhere.id, elsewhere.organizationId],
      [{ scopedOrganizations: [elsewhere.organizationId] }, elsewhere.id, elsewhere.organizationId],
      [{ scopedOrganizations: [home] }, 1, home],
    ]
    for (const [confinement, team, organization] of cases) {
      const key = await makeKey(app, confinement)
      const shown = await me(key)
      expect([shown.team?.id, shown.organization?.id]).toEqual([team, organization])
      expect((await app.call('GET', '/api/projects/@current/', { key })).json().id).toBe(team)
    }
    expect((await choose(ROOT_KEY, elsewhere.id)).json()).toMatchObject({
      team: { id: elsewhere.id },
      organization: { id: elsewhere.organizationId },
    })
    expect(await me(await makeKey(app, { scopedOrganizations: [home] }))).toMatchObject({
      team: { id: 1 },
      organization: { id: home },
    })
  })

  it('has neither when the key may access no project', async () => {
    const { project } = await makeStranger(app)
    const key = await makeKey(app, { scopedTeams: [project.id] })
    expect(await me(key)).toMatchObject({ id: 1, team: null, organization: null })
  })

  it('cannot be given a current project that the key cannot access', async () => {
    const second = await makeProject(app)
    const refused: [Parameters<typeof makeKey>[1], number][] = [
      [{ scopedTeams: [1] }, second.id],
      [{ scopedTeams: [1] }, elsewhere.id],
      [{ scopedOrganizations: [home] }, elsewhere.id],
      [{ scopedOrganizations: [elsewhere.organizationId] }, 1],
    ]
    for (const [confinement, id] of refused) {
      const answer = await choose(await makeKey(app, confinement), id)
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toMatchObject({
        attr: 'set_current_team',
        code: 'does_not_exist',
        detail: `Invalid pk "${id}" - object does not exist.`,
      })
    }
    expect((await me(ROOT_KEY)).team.id).toBe(1)
    expect((await choose(await makeKey(app, { scopedTeams: [1, second.id] }), second.id)).statusCode).toBe(200)
    expect((await me(ROOT_KEY)).team.id).toBe(second.id)
  })
})

describe('an organisation-confined key', () => {
  it('never sees the uuid of another organisation, on any route', async () => {
    const key = await makeKey(app, { scopedOrganizations: [home] })
    await app.call('POST', KEYS, {
      body: { label: 'There', scopes: ['*'], scoped_organizations: [elsewhere.organizationId] },
    })
    await app.call('POST', KEYS, {
      body: { label: 'Both', scopes: ['*'], scoped_organizations: [home, elsewhere.organizationId] },
    })
    await choose(ROOT_KEY, elsewhere.id)
    const { results } = (await app.call('GET', KEYS)).json()
    const asked: [string, string, object?][] = [
      ['GET', ME],
      ['PATCH', ME, { first_name: 'Ada' }],
      ['GET', '/api/projects/'],
      ['GET', '/api/projects/@current/'],
      ['GET', `/api/projects/${elsewhere.id}/`],
      ['GET', `/api/projects/${elsewhere.id}/persons/`],
      ['GET', '/api/projects/1/activity_log/'],
      ['GET', KEYS],
      ['POST', '/api/projects/', { name: 'Made' }],
      ...results.map((row: { id: string }): [string, string] => ['GET', `${KEYS}${row.id}/`]),
      ...results.map((row: { id: string }): [string, string, object] => ['PATCH', `${KEYS}${row.id}/`, { label: 'x' }]),
    ]
    for (const [method, path, body] of asked) {
      const answer = await app.call(method, path, { key, ...(body ? { body } : {}) })
      expect(answer.statusCode, path).toBeLessThan(500)
      expect(answer.body, `${method} ${path}`).not.toContain(elsewhere.organizationId)
    }
  })

  it('sees those of its user’s keys that name no other organisation, and is refused the others', async () => {
    const make = async (label: string, organizations: string[]) =>
      (
        await app.call('POST', KEYS, { body: { label, scopes: ['*'], scoped_organizations: organizations } })
      ).json() as { id: string }
    const there = await make('There', [elsewhere.organizationId])
    await make('Here', [home])
    for (const confinement of [{ scopedOrganizations: [home] }, { scopedTeams: [1] }]) {
      const key = await makeKey(app, confinement)
      const { count, results } = (await app.call('GET', KEYS, { key })).json()
      const labels = results.map((row: { label: string }) => row.label)
      expect(labels).toContain('Here')
      expect(labels).not.toContain('There')
      expect(count).toBe(labels.length)
      expect((await app.call('GET', `${KEYS}${there.id}/`, { key })).statusCode).toBe(403)
    }
    const all = (await app.call('GET', KEYS)).json().results.map((row: { label: string }) => row.label)
    expect(all).toEqual(expect.arrayContaining(['Here', 'There']))
  })

  it('is refused another organisation’s project without learning its owner', async () => {
    const key = await makeKey(app, { scopedOrganizations: [home] })
    const answer = await app.call('GET', `/api/projects/${elsewhere.id}/`, { key })
    expect([answer.statusCode, answer.json().detail]).toEqual([
      403,
      'API key does not have access to the requested organization.',
    ])
  })

  it('creates projects in its own organisation, and one limited to projects creates none, whatever the body', async () => {
    const there = await makeKey(app, { scopedOrganizations: [randomUUID(), elsewhere.organizationId] })
    const made = await app.call('POST', '/api/projects/', { key: there, body: { name: 'New' } })
    expect([made.statusCode, made.json().organization]).toEqual([201, elsewhere.organizationId])
    const key = await makeKey(app, { scopedTeams: [1] })
    for (const body of [{ name: 'New' }, { name: 3 }, '{broken']) {
      const refused = await app.call('POST', '/api/projects/', { key, body })
      expect([refused.statusCode, refused.json().detail]).toEqual([
        403,
        'A key confined to projects cannot make another one.',
      ])
    }
  })
})

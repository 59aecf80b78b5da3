/** What members of each level may do, on every route: a key with every scope works within its user's level. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '../../../src/http/route.ts'
import { SECOND } from '../../../src/lib/time/time.ts'
import type { MemberLevel } from '../../../src/model/accounts/user.ts'
import { routes } from '../../../src/routes.ts'
import { makeApp, type TestApp } from '../../support/app.ts'
import { makeKey, makePerson, makeProject, makeRecording, makeStranger } from '../../support/make.ts'

const app: TestApp = await makeApp()
const all = routes(app.features)
const home = (await app.stores.projects.find(1))?.organizationId ?? ''
afterAll(() => app.end())

/** A user of the first organisation, with a key for everything. */
async function memberOf(level: MemberLevel): Promise<{ key: string; userId: number; theirs: string }> {
  const { key, userId, project } = await makeStranger(app)
  await app.stores.transaction(async (tx) => {
    await tx.users.addMember(home, userId, level)
    await tx.users.update(userId, { currentProjectId: 1 })
  })
  return { key, userId, theirs: project.organizationId }
}

const ADMINISTRATION = ['project:write', 'organization:write', 'organization_member:write']
const MAY: Record<string, [MemberLevel, (scope: string) => boolean]> = {
  owner: [15, () => true],
  admin: [8, () => true],
  member: [1, (scope) => !ADMINISTRATION.includes(scope)],
  viewer: [0, (scope) => scope.endsWith(':read')],
}
/** Changes of what is one's own: name and current project, keys, and which recordings one has seen. */
const OWN =
  /^\w+ (?:\/api\/users\/@me\/|\/api\/personal_api_keys\/.*|\/session_recordings\/(?::id\/|bulk_viewed\/|bulk_not_viewed\/))$/

const lineOf = ({ method, path }: Route): string => `${method} ${path}`
const scopesOf = ({ scope }: Route): string[] =>
  typeof scope === 'string' ? [scope] : Array.isArray(scope) ? scope : []
const asked = all.filter((route) => route.level !== 'public' && !route.goesOn && scopesOf(route).length > 0)
/** In the first project, or in another one where it would be removed. */
async function addressOf({ level, method, path }: Route): Promise<string> {
  const isRemoval = method === 'DELETE' && path === '/'
  const project = isRemoval ? (await makeProject(app)).id : 1
  return `${level === 'project' ? `/api/environments/${project}` : ''}${path.replace(/:\w+/g, 'nothing')}`
}

describe.each(Object.entries(MAY))('%s', (name, [level, may]) => {
  let key: string
  beforeAll(async () => {
    key = (await memberOf(level)).key
  })

  it.each(asked.map((route): [string, Route] => [lineOf(route), route]))('%s', async (line, route) => {
    const answer = await app.call(route.method, await addressOf(route), { key })
    const isOwn = OWN.test(line) && !line.startsWith('DELETE /session_recordings/')
    const words = `Your level in this organization (${name}) does not include '${scopesOf(route)[0]}'.`
    if (isOwn || scopesOf(route).some(may)) expect(answer.body).not.toContain('Your level')
    else {
      expect(answer.statusCode).toBe(403)
      expect(answer.json()).toMatchObject({ code: 'permission_denied', detail: words })
    }
  })
})

describe('a level', () => {
  it('counts in the organisation asked, and at each use', async () => {
    const { key, userId, theirs } = await memberOf(0)
    const own = await app.stores.projects.first([theirs])
    const rename = async (id: number | undefined) =>
      (await app.call('PATCH', `/api/projects/${id}/`, { key, body: { name: 'Renamed' } })).statusCode
    expect(await rename(own?.id)).toBe(200)
    expect(await rename(1)).toBe(403)
    await app.stores.transaction((tx) => tx.users.addMember(home, userId, 8))
    app.clock.advance(SECOND)
    expect(await rename(1)).toBe(200)
  })

  it('without a project is that of the current organisation, where new projects are made too', async () => {
    const { key, userId, theirs } = await memberOf(1)
    const make = () => app.call('POST', '/api/projects/', { key, body: { name: 'New' } })
    expect((await make()).statusCode).toBe(403)
    const own = await app.stores.projects.first([theirs])
    await app.stores.transaction((tx) => tx.users.update(userId, { currentProjectId: own?.id ?? null }))
    app.clock.advance(SECOND)
    const made = await make()
    expect(made.statusCode).toBe(201)
    expect(made.json().organization).toBe(theirs)
  })

  it('lets viewers mark a recording as seen, but not give it to somebody', async () => {
    const { key } = await memberOf(0)
    const { sessionId } = await makeRecording(app)
    const { uuid } = await makePerson(app, { distinctIds: ['someone'] })
    const patch = (body: object) =>
      app.call('PATCH', `/api/environments/1/session_recordings/${sessionId}/`, { key, body })
    expect((await patch({ viewed: true })).statusCode).toBe(200)
    const given = await patch({ person: { uuid } })
    expect([given.statusCode, given.json().detail]).toEqual([403, expect.stringContaining('(viewer)')])
    expect((await app.call('DELETE', `/api/environments/1/session_recordings/${sessionId}/`, { key })).statusCode).toBe(
      403,
    )
  })

  it('does not widen a key', async () => {
    const { userId } = await memberOf(15)
    const key = await makeKey(app, { userId, scopes: ['person:read'] })
    const answer = await app.call('DELETE', '/api/environments/1/persons/1/', { key })
    expect(answer.json().detail).toBe("API key missing required scope 'person:write'")
  })
})

/** Organisations: those of the key's user, as far as the key may see them, and their projects. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject } from '../../../src/rules/accounts/new-project.ts'
import { makeApp, type TestApp } from '../../support/app.ts'
import { makeKey, makeStranger } from '../../support/make.ts'

let app: TestApp
/** The first user's two organisations; the second is the younger one and has two projects. */
let first: string
let second: string
let inSecond: number[]

beforeAll(async () => {
  app = await makeApp()
  first = (await app.call('GET', '/api/projects/1/')).json().organization
  second = randomUUID()
  app.clock.advance(60_000)
  const now = app.clock.now()
  inSecond = await app.stores.transaction(async (tx) => {
    await tx.users.createOrganization({ id: second, name: 'Second organization', createdAt: now })
    await tx.users.addMember(second, 1, 15)
    const make = (name: string) => createProject(tx, { name, organizationId: second, createdById: 1 }, now)
    return [(await make('Shop')).id, (await make('Blog')).id]
  })
})
afterAll(() => app.end())

const get = async (path: string, key?: string) => {
  const response = await app.call('GET', `/api/organizations/${path}`, key === undefined ? {} : { key })
  return { status: response.statusCode, body: response.json() }
}
const ids = (page: { results: { id: unknown }[] }) => page.results.map(({ id }) => id)

describe('/api/organizations/', () => {
  it('lists them, the oldest first', async () => {
    const { status, body } = await get('')
    expect(status).toBe(200)
    expect(body).toEqual({
      count: 2,
      next: null,
      previous: null,
      results: [
        { id: first, name: 'Default organization', created_at: expect.stringMatching(/Z$/) },
        { id: second, name: 'Second organization', created_at: expect.stringMatching(/Z$/) },
      ],
    })
  })
  it('has pages', async () => {
    const { body } = await get('?limit=1')
    expect([body.count, ids(body)]).toEqual([2, [first]])
    const next = (await app.call('GET', body.next)).json()
    expect([ids(next), next.next]).toEqual([[second], null])
    expect((await get('?limit=0')).status).toBe(400)
  })
  it('needs its scope', async () => {
    const key = await makeKey(app, { scopes: ['organization:read'] })
    expect(ids((await get('', key)).body)).toEqual([first, second])
    expect((await get('', await makeKey(app, { scopes: ['project:read'] }))).status).toBe(403)
  })
  it.each([
    ['organisations', () => ({ scopedOrganizations: [second] }), () => [second]],
    ['projects', () => ({ scopedTeams: [inSecond[0] ?? 0] }), () => [second]],
    ['projects of both', () => ({ scopedTeams: [1, ...inSecond] }), () => [first, second]],
    ['a project that is gone', () => ({ scopedTeams: [999] }), () => []],
    ['both', () => ({ scopedTeams: [1], scopedOrganizations: [second] }), () => []],
  ])('shows a key confined to %s only theirs', async (_name, confinement, expected) => {
    const key = await makeKey(app, confinement())
    const { body } = await get('', key)
    expect([body.count, ids(body)]).toEqual([expected().length, expected()])
    for (const id of [first, second]) {
      const status = expected().includes(id) ? 200 : 404
      expect([id, (await get(`${id}/`, key)).status, (await get(`${id}/projects/`, key)).status]).toEqual([
        id,
        status,
        status,
      ])
    }
  })
})

describe('/api/organizations/{id}/', () => {
  it('is one of them', async () => {
    expect(await get(`${second}/`)).toEqual({
      status: 200,
      body: { id: second, name: 'Second organization', created_at: expect.any(String) },
    })
  })
  it('@current is that of the current project', async () => {
    expect((await get('@current/')).body.id).toBe(first)
    const key = await makeKey(app, { scopedTeams: [inSecond[1] ?? 0] })
    expect((await get('@current/', key)).body.id).toBe(second)
    expect((await get('@current/projects/', key)).body.results).toMatchObject([{ name: 'Blog' }])
    const nowhere = await makeKey(app, { scopedTeams: [999] })
    expect((await get('@current/', nowhere)).status).toBe(404)
  })
  it('does not tell of others, nor of what is none', async () => {
    const { key, project } = await makeStranger(app)
    const theirs = project.organizationId
    for (const [id, as] of [
      [theirs, undefined],
      [first, key],
      [randomUUID(), undefined],
      ['nothing', undefined],
      ['%00', undefined],
    ] as const) {
      for (const path of [`${id}/`, `${id}/projects/`]) {
        expect(await get(path, as)).toEqual({
          status: 404,
          body: { type: 'invalid_request', code: 'not_found', detail: 'Organization not found.', attr: null },
        })
      }
    }
    expect((await get('', key)).body.results).toMatchObject([{ id: theirs, name: 'Strangers' }])
  })
})

describe('/api/organizations/{id}/projects/', () => {
  it('lists its projects as /api/projects/ does', async () => {
    const { body } = await get(`${second}/projects/`)
    expect([body.count, ids(body)]).toEqual([2, inSecond])
    const all = (await app.call('GET', '/api/projects/')).json().results
    expect(body.results).toEqual(all.filter(({ organization }: { organization: string }) => organization === second))
    expect(ids((await get(`${first}/projects/`)).body)).toEqual([1])
  })
  it('searches and pages', async () => {
    expect((await get(`${second}/projects/?search=blo`)).body.results).toMatchObject([{ name: 'Blog' }])
    const { body } = await get(`${second}/projects/?limit=1`)
    expect(ids((await app.call('GET', body.next)).json())).toEqual([inSecond[1]])
  })
  it('shows a confined key its own only', async () => {
    const key = await makeKey(app, { scopedTeams: [inSecond[1] ?? 0] })
    expect(ids((await get(`${second}/projects/`, key)).body)).toEqual([inSecond[1]])
  })
  it('is empty where there is no project yet', async () => {
    const empty = randomUUID()
    await app.stores.transaction(async (tx) => {
      await tx.users.createOrganization({ id: empty, name: 'New', createdAt: app.clock.now() })
      await tx.users.addMember(empty, 1, 15)
    })
    app.clock.advance(1_000)
    expect(await get(`${empty}/projects/`)).toMatchObject({ status: 200, body: { count: 0, results: [] } })
  })
})

describe('/api/users/@me/', () => {
  it('names the organisations, and that of the current project', async () => {
    const me = (await app.call('GET', '/api/users/@me/')).json()
    expect(me.organizations).toEqual(
      expect.arrayContaining([
        { id: first, name: 'Default organization', membership_level: 15 },
        { id: second, name: 'Second organization', membership_level: 15 },
      ]),
    )
    expect(me.organizations[0].id).toBe(first)
    expect(me.organization).toEqual({ id: first, name: 'Default organization', membership_level: 15 })
    expect(me.team).toMatchObject({ id: 1, organization: first })
  })
  it('as far as the key may see them, also after a change', async () => {
    const key = await makeKey(app, { scopedOrganizations: [second] })
    const me = (await app.call('GET', '/api/users/@me/', { key })).json()
    expect(me.organizations).toEqual([{ id: second, name: 'Second organization', membership_level: 15 }])
    expect(me.team).toMatchObject({ id: inSecond[0], organization: second })
    const patched = (await app.call('PATCH', '/api/users/@me/', { key, body: { first_name: 'Ann' } })).json()
    expect(patched.organizations).toEqual(me.organizations)
    expect(patched.team).toEqual(me.team)
  })
})

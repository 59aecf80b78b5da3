/** What every operation of a project refuses before it does anything; registers the tests for one operation. */
import { expect, it } from 'vitest'
import type { CallOptions, TestApp } from './app.ts'
import { makeKey, makeProject, makeStranger } from './make.ts'

export interface GuardedOperation {
  method: string
  /** Path below the project, of an object that exists; may make it. */
  path: () => string | Promise<string>
  scope: string
  options?: CallOptions
  /** The status of success. */
  status: number
}

const error = (type: string, code: string, detail: string) => ({ type, code, detail, attr: null })
const denied = (detail: string) => error('authentication_error', 'permission_denied', detail)

export function itIsGuarded(app: () => TestApp, { method, path, scope, options, status }: GuardedOperation): void {
  const ask = async (project: number | string, key: string | null) =>
    app().call(method, `/api/environments/${project}${await path()}`, { ...options, key })

  it('requires a key', async () => {
    const response = await ask(1, null)
    expect(response.statusCode).toBe(401)
    expect(response.headers['www-authenticate']).toBe('Bearer')
    expect(response.json()).toEqual(
      error('authentication_error', 'not_authenticated', 'Authentication credentials were not provided.'),
    )
  })

  it(`requires the scope ${scope}`, async () => {
    const response = await ask(1, await makeKey(app(), { scopes: ['insight:write', 'survey:read'] }))
    expect(response.statusCode).toBe(403)
    expect(response.json()).toEqual(denied(`API key missing required scope '${scope}'`))
    const allowed = await ask(1, await makeKey(app(), { scopes: [scope] }))
    expect(allowed.statusCode).toBe(status)
  })

  it('refuses a key that is limited to another project', async () => {
    const other = await makeProject(app())
    const response = await ask(1, await makeKey(app(), { scopedTeams: [other.id] }))
    expect(response.statusCode).toBe(403)
    expect(response.json()).toEqual(denied('API key does not have access to the requested project: ID 1.'))
  })

  it('refuses a stranger', async () => {
    const { key } = await makeStranger(app())
    const response = await ask(1, key)
    expect(response.statusCode).toBe(403)
    expect(response.json()).toEqual(denied("You don't have access to the project."))
  })

  it('does not know other projects', async () => {
    const response = await ask(987_654, await makeKey(app()))
    expect(response.statusCode).toBe(404)
    expect(response.json()).toEqual(error('invalid_request', 'not_found', 'Project not found.'))
  })

  it('lives under both prefixes, with or without the slash at the end', async () => {
    const key = await makeKey(app())
    const plain = await app().call(method, `/api/projects/1${(await path()).replace(/\/$/, '')}`, { ...options, key })
    expect(plain.statusCode).toBe(status)
  })
}

/** Bad ids and objects of other projects, for one operation on a person. */
export function itKnowsItsPersons(
  app: () => TestApp,
  make: (projectId: number) => Promise<{ id: number; uuid: string }>,
  { method, path, options }: { method: string; path: (id: string) => string; options?: CallOptions },
): void {
  const ask = (project: number, id: string) =>
    app().call(method, `/api/environments/${project}${path(encodeURIComponent(id))}`, { ...options })

  it('does not find a person of another project, by id or by uuid', async () => {
    const other = await makeProject(app())
    const foreign = await make(other.id)
    for (const id of [String(foreign.id), foreign.uuid]) {
      const response = await ask(1, id)
      expect(response.statusCode).toBe(404)
      expect(response.json()).toEqual(error('invalid_request', 'not_found', 'Not found.'))
    }
    expect((await app().call('GET', `/api/environments/${other.id}/persons/${foreign.id}/`)).statusCode).toBe(200)
  })

  it.each([
    '0',
    '-1',
    '999999999',
    '9223372036854775808',
    '99999999999999999999999999999999999999',
    '00000000-0000-0000-0000-000000000000',
  ])('does not find %s', async (id) => {
    const response = await ask(1, id)
    expect(response.statusCode).toBe(404)
    expect(response.json().detail).toBe('Not found.')
  })

  it.each(['user_1', '1.5', 'abc', '1e3', '0x10', 'null', 'Ω', '131ecd7b-7aa1-5121-8fd3'])(
    'says that %s is no id of a person',
    async (id) => {
      const response = await ask(1, id)
      expect(response.statusCode).toBe(400)
      expect(response.json()).toEqual({
        type: 'validation_error',
        code: 'invalid_input',
        detail: `The ID provided does not look like a personID. If you are using a distinctId, please use /persons?distinct_id=${id} instead.`,
        attr: null,
      })
    },
  )
}

/** Sharing of a recording: the configuration, its token, its passwords. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { itIsGuarded } from '../../support/access.ts'
import { makeApp, type TestApp } from '../../support/app.ts'
import { makeKey, makeProject, makeRecording } from '../../support/make.ts'

let app: TestApp
beforeAll(async () => {
  app = await makeApp()
})
afterAll(() => app.end())

const below = (id: string, rest = '') => `/session_recordings/${id}/sharing/${rest}`
const url = (id: string, rest = '') => `/api/environments/1${below(id, rest)}`
const fresh = async (rest = '') => below((await makeRecording(app)).sessionId, rest)
const id = async () => (await makeRecording(app)).sessionId
const get = async (session: string) => (await app.call('GET', url(session))).json()
const patch = (session: string, body: unknown) => app.call('PATCH', url(session), { body })
const refresh = (session: string) => app.call('POST', url(session, 'refresh/'))
const TOKEN = /^[A-Za-z0-9_-]{30}$/
const NOT_FOUND = { type: 'invalid_request', code: 'not_found', detail: 'Recording not found', attr: null }
const invalid = (detail: string, attr: string | null, code = 'invalid_input') => ({
  type: 'validation_error',
  code,
  detail,
  attr,
})
const entriesOf = async (itemId: string) => {
  const { items } = await app.stores.activity.page({ projectId: 1, scope: 'Replay', itemId }, { limit: 50, offset: 0 })
  return items.map((item) => item.activity)
}

function itKnowsItsRecordings(method: string, rest = '', body: unknown = {}): void {
  it('does not find an unknown recording, or one of another project', async () => {
    const other = await makeProject(app)
    const foreign = await makeRecording(app, { projectId: other.id })
    for (const session of ['unknown', foreign.sessionId, '%00', '0']) {
      const response = await app.call(method, url(session, rest), { ...(method === 'GET' ? {} : { body }) })
      expect(response.statusCode).toBe(404)
      expect(response.json()).toEqual(NOT_FOUND)
    }
    expect(await app.stores.sharing.find(other.id, foreign.sessionId)).toBeNull()
  })
}

describe('GET session_recordings/{recording_id}/sharing/', () => {
  itIsGuarded(() => app, { method: 'GET', path: () => fresh(), scope: 'sharing_configuration:read', status: 200 })
  itKnowsItsRecordings('GET')

  it('answers one object: the three fields of the seed, then ours', async () => {
    const session = await id()
    const response = await app.call('GET', url(session))
    expect(response.statusCode).toBe(200)
    expect(response.headers['cache-control']).toBe('no-store')
    expect(Object.keys(response.json())).toEqual([
      'created_at',
      'enabled',
      'access_token',
      'settings',
      'password_required',
      'share_passwords',
      'url',
      'replay_url',
    ])
    expect(response.json()).toEqual({
      created_at: '2026-03-04T12:00:00Z',
      enabled: false,
      access_token: expect.stringMatching(TOKEN),
      settings: null,
      password_required: false,
      share_passwords: [],
      url: null,
      replay_url: `http://localhost/project/1/replay/${session}`,
    })
  })
  it('has the address of the page while sharing is on', async () => {
    const session = await id()
    const shared = (await patch(session, { enabled: true })).json()
    expect(shared.url).toBe(`http://localhost/shared/${shared.access_token}`)
    const page = await app.call('GET', new URL(shared.url).pathname, { key: null })
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect((await get(session)).url).toBe(shared.url)
    const renewed = (await refresh(session)).json()
    expect(renewed.url).toBe(`http://localhost/shared/${renewed.access_token}`)
    expect((await patch(session, { enabled: false })).json().url).toBeNull()
    expect((await app.call('GET', url(session).replace('environments', 'projects'))).json().url).toBeNull()
  })
  it('gives the same token every time, and another for another recording', async () => {
    const [one, two] = [await id(), await id()]
    const first = await get(one)
    expect(await get(one)).toEqual(first)
    expect((await get(two)).access_token).not.toBe(first.access_token)
  })
  it('gives one token to many concurrent first reads', async () => {
    const session = await id()
    const all = await Promise.all(Array.from({ length: 10 }, () => get(session)))
    expect(new Set(all.map((sharing) => sharing.access_token)).size).toBe(1)
  })
  it('does not make a recording look shared', async () => {
    const session = await id()
    await get(session)
    const recording = await app.call('GET', `/api/environments/1/session_recordings/${session}/`)
    expect(recording.json().storage).toBe('object_storage')
    expect(await entriesOf(session)).toEqual([])
  })
})

describe('PATCH session_recordings/{recording_id}/sharing/', () => {
  itIsGuarded(() => app, {
    method: 'PATCH',
    path: () => fresh(),
    scope: 'sharing_configuration:write',
    options: { body: { enabled: true } },
    status: 200,
  })
  itKnowsItsRecordings('PATCH', '', { enabled: true })

  it('refuses a key that may only read', async () => {
    const key = await makeKey(app, { scopes: ['sharing_configuration:read', 'session_recording:write'] })
    const response = await app.call('PATCH', url(await id()), { key, body: {} })
    expect(response.statusCode).toBe(403)
  })
  it('keeps the token that was shown before when it is first enabled', async () => {
    const session = await id()
    const before = await get(session)
    const response = await patch(session, { enabled: true })
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({ ...before, enabled: true, url: expect.stringContaining(before.access_token) })
    expect((await patch(session, { enabled: true })).json().access_token).toBe(before.access_token)
  })
  it('works without an earlier read', async () => {
    expect((await patch(await id(), { enabled: true })).json()).toMatchObject({ enabled: true })
  })
  it('makes a new token when it is enabled again, and every older one stops working at once', async () => {
    const session = await id()
    const first = (await patch(session, { enabled: true })).json().access_token
    const second = (await refresh(session)).json().access_token
    expect((await patch(session, { enabled: false })).json().access_token).toBe(second)
    const third = (await patch(session, { enabled: true })).json().access_token
    expect(third).toMatch(TOKEN)
    expect(new Set([first, second, third]).size).toBe(3)
    for (const dead of [first, second]) expect(await app.stores.sharing.findToken(dead)).toBeNull()
  })
  it('changes the storage of the recording, permanently', async () => {
    const session = await id()
    const storage = async () =>
      (await app.call('GET', `/api/environments/1/session_recordings/${session}/`)).json().storage
    await patch(session, { settings: {} })
    expect(await storage()).toBe('object_storage')
    await patch(session, { enabled: true })
    expect(await storage()).toBe('object_storage_lts')
    await patch(session, { enabled: false })
    expect(await storage()).toBe('object_storage_lts')
  })
  it('logs who enabled and disabled it, and nothing of a token', async () => {
    const session = await id()
    await patch(session, { enabled: true })
    await patch(session, { enabled: true, settings: { theme: 'dark' } })
    await patch(session, { enabled: false })
    expect((await entriesOf(session)).sort()).toEqual(['sharing disabled', 'sharing enabled'])
    const { access_token } = await get(session)
    const { items } = await app.stores.activity.page({ projectId: 1, itemId: session }, { limit: 50, offset: 0 })
    expect(JSON.stringify(items)).not.toContain(access_token)
  })
  it('takes known settings, drops unknown keys and nulls, and replaces them whole', async () => {
    const session = await id()
    const given = {
      whitelabel: true,
      noHeader: false,
      showInspector: true,
      legend: false,
      detailed: true,
      hideExtraDetails: false,
      loadRemote: true,
      theme: 'system',
    }
    expect((await patch(session, { settings: given })).json().settings).toEqual(given)
    const odd =
      '{"settings": {"theme": "dark", "tomato": {"a": [1.5, null, []]}, "legend": null, "__proto__": {"x": 1}}}'
    expect((await patch(session, odd)).json().settings).toEqual({ theme: 'dark' })
    expect((await patch(session, { settings: {} })).json().settings).toEqual({})
    expect((await patch(session, { settings: null })).json().settings).toBeNull()
    expect((await patch(session, {})).statusCode).toBe(200)
  })
  it.each<[unknown, unknown]>([
    [{ enabled: 'yes' }, invalid('Must be a valid boolean.', 'enabled')],
    [{ enabled: null }, invalid('This field may not be null.', 'enabled', 'null')],
    [{ password_required: 1 }, invalid('Must be a valid boolean.', 'password_required')],
    [{ settings: [] }, invalid('Invalid settings format', 'settings')],
    [{ settings: 'dark' }, invalid('Invalid settings format', 'settings')],
    [{ settings: { theme: 'pink' } }, invalid('Invalid settings format: theme', 'settings')],
    [{ settings: { noHeader: 'true' } }, invalid('Invalid settings format: noHeader', 'settings')],
  ])('refuses %j and changes nothing', async (body, problem) => {
    const session = await id()
    const before = await get(session)
    const response = await patch(session, { ...(body as object) })
    expect(response.statusCode).toBe(400)
    expect(response.json()).toEqual(problem)
    expect(await get(session)).toEqual(before)
  })
})

describe('POST session_recordings/{recording_id}/sharing/refresh/', () => {
  itIsGuarded(() => app, {
    method: 'POST',
    path: () => fresh('refresh/'),
    scope: 'sharing_configuration:write',
    status: 200,
  })
  itKnowsItsRecordings('POST', 'refresh/')

  it('answers the same configuration with a new token', async () => {
    const session = await id()
    const before = (await patch(session, { enabled: true, settings: { theme: 'dark' } })).json()
    const response = await refresh(session)
    expect(response.headers['cache-control']).toBe('no-store')
    const { access_token } = response.json()
    const moved = before.url.replace(before.access_token, access_token)
    expect(response.json()).toEqual({ ...before, access_token: expect.stringMatching(TOKEN), url: moved })
    expect(response.json().access_token).not.toBe(before.access_token)
    expect(await get(session)).toEqual(response.json())
    expect(await entriesOf(session)).toContain('access token refreshed')
  })
  it('keeps passwords', async () => {
    const session = await id()
    await patch(session, { enabled: true, password_required: true })
    await app.call('POST', url(session, 'passwords/'), { body: {} })
    expect((await refresh(session)).json()).toMatchObject({
      password_required: true,
      share_passwords: [{ note: null }],
    })
  })
  it('works where there was no configuration', async () => {
    const response = await refresh(await id())
    expect(response.statusCode).toBe(200)
    expect(response.json()).toMatchObject({ enabled: false, access_token: expect.stringMatching(TOKEN) })
  })
  it('leaves one current token when two come at once', async () => {
    const session = await id()
    await patch(session, { enabled: true })
    const [one, two] = await Promise.all([refresh(session), refresh(session)])
    const tokens = [one.json().access_token, two.json().access_token]
    expect(new Set(tokens).size).toBe(2)
    expect(tokens).toContain((await get(session)).access_token)
  })
})

describe('passwords', () => {
  const protectedShare = async () => {
    const session = await id()
    await patch(session, { password_required: true })
    return session
  }
  const add = (session: string, body: unknown = {}, headers: Record<string, string> = {}) =>
    app.call('POST', url(session, 'passwords/'), { body, headers })

  describe('POST session_recordings/{recording_id}/sharing/passwords/', () => {
    itIsGuarded(() => app, {
      method: 'POST',
      path: async () => below(await protectedShare(), 'passwords/'),
      scope: 'sharing_configuration:write',
      options: { body: {} },
      status: 201,
    })
    itKnowsItsRecordings('POST', 'passwords/')

    it('shows the password this once, and keeps only a hash', async () => {
      const session = await protectedShare()
      const response = await add(session, { raw_password: 'correct horse', note: 'For the agency' })
      expect(response.statusCode).toBe(201)
      expect(response.headers['cache-control']).toBe('no-store')
      expect(response.json()).toEqual({
        id: expect.any(Number),
        password: 'correct horse',
        note: 'For the agency',
        created_at: '2026-03-04T12:00:00Z',
        created_by_email: 'admin@localhost',
      })
      expect((await get(session)).share_passwords).toEqual([
        {
          id: response.json().id,
          created_at: '2026-03-04T12:00:00Z',
          note: 'For the agency',
          created_by_email: 'admin@localhost',
          is_active: true,
        },
      ])
      const [kept] = await app.stores.sharing.passwords(1, session)
      expect(kept?.hash).toMatch(/^scrypt\$16384\$8\$1\$/)
      expect(JSON.stringify(kept)).not.toContain('correct horse')
      expect(app.logs.join('')).not.toContain('correct horse')
    })
    it('makes one up when none is given', async () => {
      const session = await protectedShare()
      for (const body of [{}, { raw_password: null, note: null }]) {
        const response = await add(session, body)
        expect(response.json()).toMatchObject({ password: expect.stringMatching(/^[A-Za-z0-9]{17}$/), note: null })
      }
    })
    it.each<[unknown, unknown]>([
      [
        { raw_password: 'seven77' },
        invalid('Password must be at least 8 characters long.', 'raw_password', 'min_length'),
      ],
      [{ raw_password: '' }, invalid('Password must be at least 8 characters long.', 'raw_password', 'min_length')],
      [{ raw_password: 12345678 }, invalid('Not a valid string.', 'raw_password')],
      [{ note: 'x'.repeat(101) }, invalid('Ensure this field has no more than 100 characters.', 'note', 'max_length')],
    ])('refuses %j', async (body, problem) => {
      const response = await add(await protectedShare(), body)
      expect(response.statusCode).toBe(400)
      expect(response.json()).toEqual(problem)
    })
    it('wants passwords to be switched on before', async () => {
      const response = await add(await id())
      expect(response.statusCode).toBe(400)
      expect(response.json()).toEqual(invalid('Password protection must be enabled before creating passwords', null))
    })
    it('does not show the password again under an Idempotency-Key', async () => {
      const session = await protectedShare()
      const headers = { 'idempotency-key': `passwords-${session}` }
      const first = await add(session, {}, headers)
      const second = await add(session, {}, headers)
      expect(second.statusCode).toBe(201)
      expect(second.json()).toEqual({ ...first.json(), password: null })
      expect((await get(session)).share_passwords).toHaveLength(1)
    })
    it('has an end', async () => {
      const session = await protectedShare()
      const row = { hash: 'scrypt$1$1$1$a$b', note: null, createdBy: 1, createdAt: 0 }
      await app.stores.transaction(async (tx) => {
        for (let count = 0; count < 20; count++) await tx.sharing.addPassword(1, session, row)
      })
      const response = await add(session)
      expect(response.statusCode).toBe(400)
      expect(response.json().detail).toBe('A share has at most 20 passwords.')
    })
  })

  describe('DELETE session_recordings/{recording_id}/sharing/passwords/{password_id}/', () => {
    itIsGuarded(() => app, {
      method: 'DELETE',
      path: async () => {
        const session = await protectedShare()
        return below(session, `passwords/${(await add(session)).json().id}/`)
      },
      scope: 'sharing_configuration:write',
      status: 204,
    })
    itKnowsItsRecordings('DELETE', 'passwords/1/')

    it('removes it once, and only from its own recording', async () => {
      const [session, other] = [await protectedShare(), await protectedShare()]
      const { id } = (await add(session)).json()
      const remove = (of: string, password: string | number) => app.call('DELETE', url(of, `passwords/${password}/`))
      for (const [of, password] of [
        [other, id],
        [session, 999_999],
        [session, 'abc'],
        [session, '9'.repeat(30)],
        [session, -1],
      ] as const) {
        const response = await remove(of, password)
        expect(response.statusCode).toBe(404)
        expect(response.json().detail).toBe('Password not found')
      }
      const response = await remove(session, id)
      expect(response.statusCode).toBe(204)
      expect(response.body).toBe('')
      expect((await remove(session, id)).statusCode).toBe(404)
      expect((await get(session)).share_passwords).toEqual([])
    })
  })
})

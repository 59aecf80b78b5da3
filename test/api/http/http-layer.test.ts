/** The HTTP layer: order of checks, the one error body, body reading, CORS, links, limits. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeApp, ROOT_KEY, type TestApp } from '../../support/app.ts'
import { makeKey, makePerson, makeProject, makeStranger } from '../../support/make.ts'

let app: TestApp
let id: number
const person = (suffix = '') => `/api/environments/1/persons/${id}/${suffix}`

beforeAll(async () => {
  app = await makeApp()
  id = (await makePerson(app, { properties: { email: 'jane@example.com' } })).id
})
afterAll(() => app.end())

const error = (type: string, code: string, detail: string, attr: string | null = null) => ({ type, code, detail, attr })

describe('the order of checks', () => {
  it('requires a key before anything else, and says Bearer', async () => {
    const response = await app.call('PATCH', '/api/environments/999/persons/x/', { key: null, body: '{' })
    expect(response.statusCode).toBe(401)
    expect(response.headers['www-authenticate']).toBe('Bearer')
    expect(response.json()).toEqual(
      error('authentication_error', 'not_authenticated', 'Authentication credentials were not provided.'),
    )
  })
  it.each(['Basic abc', 'bearer phx_x', 'Bearer', 'Bearer ', 'phx_x'])('treats %j as no key', async (authorization) => {
    const response = await app.call('GET', person(), { key: null, headers: { authorization } })
    expect(response.json().code).toBe('not_authenticated')
  })
  it('tolerates spaces around the key', async () => {
    const authorization = `Bearer   ${await makeKey(app)}  `
    expect((await app.call('GET', person(), { key: null, headers: { authorization } })).statusCode).toBe(200)
  })
  it('refuses a wrong key', async () => {
    const response = await app.call('GET', person(), { key: 'phx_wrong' })
    expect(response.statusCode).toBe(401)
    expect(response.json()).toEqual(
      error(
        'authentication_error',
        'authentication_failed',
        'Personal API key found in request Authorization header is invalid.',
      ),
    )
  })
  it('never looks for a key in body or query', async () => {
    const key = await makeKey(app)
    const response = await app.call('GET', `${person()}?personal_api_key=${key}`, { key: null })
    expect(response.statusCode).toBe(401)
  })
  it.each(['999', 'abc', '-1', '99999999999999999999', '1.5'])('does not know project %s', async (project) => {
    const response = await app.call('GET', `/api/environments/${project}/persons/1/`)
    expect(response.statusCode).toBe(404)
    expect(response.json()).toEqual(error('invalid_request', 'not_found', 'Project not found.'))
  })
  it('refuses a key confined to another project, then one of another organisation', async () => {
    const other = await makeProject(app)
    const confined = await makeKey(app, { scopedTeams: [other.id] })
    const response = await app.call('POST', person(), { key: confined })
    expect(response.statusCode).toBe(403)
    expect(response.json().detail).toBe('API key does not have access to the requested project: ID 1.')
    const elsewhere = await makeKey(app, { scopedOrganizations: ['5f0c1b0e-0000-4000-8000-000000000000'] })
    const { detail } = (await app.call('GET', person(), { key: elsewhere })).json()
    expect(detail).toBe('API key does not have access to the requested organization.')
  })
  it('refuses non-members', async () => {
    const { key } = await makeStranger(app)
    const response = await app.call('GET', person(), { key })
    expect(response.statusCode).toBe(403)
    expect(response.json().detail).toBe("You don't have access to the project.")
  })
  it('answers 405 before it checks the scope', async () => {
    const response = await app.call('POST', person(), { key: await makeKey(app, { scopes: ['user:read'] }), body: '{' })
    expect(response.statusCode).toBe(405)
    expect(response.headers.allow).toBe('GET, HEAD, PUT, PATCH, DELETE, OPTIONS')
    expect(response.json()).toEqual(error('invalid_request', 'method_not_allowed', 'Method "POST" not allowed.'))
  })
  it('checks the scope before it reads the body', async () => {
    const key = await makeKey(app, { scopes: ['person:read'] })
    const response = await app.call('PATCH', person(), { key, body: '{' })
    expect(response.statusCode).toBe(403)
    expect(response.json().detail).toBe("API key missing required scope 'person:write'")
  })
  it('reads the body before it looks up the object', async () => {
    expect((await app.call('PATCH', '/api/environments/1/persons/999999/', { body: {} })).statusCode).toBe(400)
    expect(
      (await app.call('PATCH', '/api/environments/1/persons/999999/', { body: { properties: {} } })).statusCode,
    ).toBe(404)
  })
  it('lets write satisfy read, and never the other way', async () => {
    const key = await makeKey(app, { scopes: ['person:write'] })
    expect((await app.call('GET', person(), { key })).statusCode).toBe(200)
  })
  it('refuses an expired key', async () => {
    const key = await makeKey(app, { expiresAt: app.clock.now() + 1_000 })
    expect((await app.call('GET', person(), { key })).statusCode).toBe(200)
    app.clock.advance(1_000)
    expect((await app.call('GET', person(), { key })).statusCode).toBe(401)
  })
})

describe('paths', () => {
  it.each(['/api/environments/1', '/api/projects/1', '/api/environments/@current', '/api/projects/@current'])(
    'answers under %s with and without the trailing slash',
    async (prefix) => {
      const slashed = await app.call('GET', `${prefix}/persons/${id}/`)
      const bare = await app.call('GET', `${prefix}/persons/${id}`)
      expect([slashed.statusCode, bare.statusCode]).toEqual([200, 200])
      expect(bare.body).toBe(slashed.body)
    },
  )
  it('resolves @current to the one project a key is limited to', async () => {
    const other = await makeProject(app)
    const key = await makeKey(app, { scopedTeams: [other.id] })
    expect((await app.call('GET', '/api/projects/@current/', { key })).json().id).toBe(other.id)
    const two = await makeKey(app, { scopedTeams: [other.id, 1] })
    expect((await app.call('GET', '/api/projects/@current/', { key: two })).json().id).toBe(1)
  })
  it('knows no project for @current when none is accessible', async () => {
    const { project } = await makeStranger(app)
    const key = await makeKey(app, { scopedTeams: [project.id] })
    const response = await app.call('GET', '/api/projects/@current/', { key })
    expect([response.statusCode, response.json().detail]).toEqual([404, 'Project not found.'])
  })
  it.each([
    ['/nowhere', 404],
    ['/api/environments/1/nowhere/', 404],
    ['/%zz', 400],
    ['/api/%zz', 400],
    [`/api/environments/1/persons/${'9'.repeat(600)}/`, 404],
  ])('answers %s with the one error body', async (path, status) => {
    const response = await app.call('GET', path)
    expect(response.statusCode).toBe(status)
    expect(Object.keys(response.json())).toEqual(['type', 'code', 'detail', 'attr'])
    expect(response.headers).toHaveProperty('x-request-id')
    const allowed = response.headers['access-control-allow-origin']
    expect(allowed).toBe(path.startsWith('/api/') ? '*' : undefined)
  })
})

describe('bodies', () => {
  const patch = (body: string, headers: Record<string, string> = {}) => app.call('PATCH', person(), { body, headers })
  it.each([
    ['a list', '[]', 'invalid_input', 'Invalid data. Expected a dictionary, but got list.'],
    ['a string', '"x"', 'invalid_input', 'Invalid data. Expected a dictionary, but got str.'],
    ['null', 'null', 'invalid_input', 'Invalid data. Expected a dictionary, but got NoneType.'],
    [
      'a field of the wrong kind',
      '{"properties":[]}',
      'not_a_dict',
      'Expected a dictionary of items but got type "list".',
    ],
    ['null in a field', '{"properties":null}', 'null', 'This field may not be null.'],
    ['NUL', '{"properties":{"a":"\\u0000"}}', 'invalid_input', 'Text must not contain NUL or lone surrogates.'],
    [
      'a lone surrogate in a key',
      '{"properties":{"\\udc00":1}}',
      'invalid_input',
      'Text must not contain NUL or lone surrogates.',
    ],
    [
      'an integer past 2^53',
      '{"properties":{"a":[9007199254740993]}}',
      'invalid_input',
      'The integer 9007199254740993 cannot be kept exactly; send it as text.',
    ],
  ])('refuses %s', async (_name, body, code, detail) => {
    const response = await patch(body)
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ type: 'validation_error', code, detail })
  })
  it.each([
    ['broken JSON', '{"properties":'],
    ['10,000 levels', `{"properties":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
    ['101 levels', `{"properties":{"a":${'['.repeat(99)}${']'.repeat(99)}}}`],
  ])('cannot read %s', async (_name, body) => {
    const response = await patch(body)
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ type: 'invalid_request', code: 'parse_error', attr: null })
  })
  it('reads 100 levels, and surrogates that pair', async () => {
    const body = `{"properties":{"deep":${'['.repeat(98)}${']'.repeat(98)},"smile":"\\ud83d\\ude00","big":1e300}}`
    const response = await patch(body)
    expect(response.statusCode).toBe(200)
    expect(response.json().properties).toMatchObject({ smile: '😀', big: 1e300 })
  })
  it('refuses invalid UTF-8', async () => {
    const payload = Buffer.from('{"properties":{"a":"\xff"}}', 'latin1')
    const headers = { authorization: `Bearer ${await makeKey(app)}`, 'content-type': 'application/json' }
    const response = await app.server.inject({ method: 'PATCH', url: person(), payload, headers })
    expect([response.statusCode, response.json().code]).toEqual([400, 'parse_error'])
  })
  it('refuses a body over 2 MB, whatever its size', async () => {
    for (const size of [2_000_001, 30_000_000]) {
      const response = await patch(`{"properties":{"a":"${'x'.repeat(size)}"}}`)
      expect([response.statusCode, response.json().type]).toEqual([413, 'invalid_request'])
    }
  })
  it('refuses another content type', async () => {
    const response = await patch('properties=1', { 'content-type': 'text/plain' })
    expect(response.statusCode).toBe(415)
    expect(response.json().detail).toBe('Unsupported media type "text/plain" in request.')
  })
  it('takes an empty body, no body and {} as the same', async () => {
    const empty = await app.server.inject({
      method: 'PATCH',
      url: person(),
      headers: { authorization: `Bearer ${await makeKey(app)}`, 'content-type': 'application/json' },
    })
    for (const response of [
      empty,
      await app.call('PATCH', person()),
      await app.call('PATCH', person(), { body: {} }),
    ]) {
      expect(response.json()).toEqual(error('validation_error', 'required', 'This field is required.', 'properties'))
    }
    for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
      const url = '/api/environments/1/persons/424242/'
      const deleted = await app.call('DELETE', url, { headers: { 'content-type': type } })
      expect(deleted.statusCode).toBe(404)
    }
  })
  it('keeps a key named __proto__ as data', async () => {
    const response = await patch('{"properties":{"__proto__":{"polluted":true},"constructor":1}}')
    expect(response.statusCode).toBe(200)
    expect(response.body).toContain('"__proto__":{"polluted":true}')
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})

describe('booleans in the query', () => {
  it.each(['=true', '=TRUE', '=1', '=false', '=0', ''])('reads delete_events%s', async (value) => {
    const response = await app.call('DELETE', `/api/environments/1/persons/424242/?delete_events${value}`)
    expect(response.statusCode).toBe(404)
  })
  it.each(['maybe', '', '2'])('refuses %j', async (value) => {
    const response = await app.call('DELETE', `/api/environments/1/persons/424242/?delete_events=${value}`)
    expect(response.statusCode).toBe(400)
    expect(response.json()).toEqual(
      error('validation_error', 'invalid_input', 'Must be a valid boolean.', 'delete_events'),
    )
  })
})

describe('the bytes of a query', () => {
  it.each(['%FF', '%ED%A0%80', 'a%C3'])('must be UTF-8: not %s', async (value) => {
    const response = await app.call('GET', `/api/environments/1/persons/?search=${value}`)
    expect([response.statusCode, response.json().detail]).toEqual([400, 'The query string is not valid UTF-8.'])
  })
  it('may hold a percent sign that begins no escape', async () => {
    expect((await app.call('GET', '/api/environments/1/persons/?search=100%')).statusCode).toBe(200)
  })
})

describe('headers', () => {
  it('let any origin read a 404 below /api/', async () => {
    const response = await app.call('GET', '/api/environments/1/nowhere/')
    expect(response.headers['access-control-allow-origin']).toBe('*')
  })

  it('lets any origin read /api/, without credentials', async () => {
    const response = await app.call('GET', person(), { headers: { origin: 'https://example.com' } })
    expect(response.headers['access-control-allow-origin']).toBe('*')
    expect(response.headers['access-control-allow-credentials']).toBeUndefined()
    expect(response.headers['access-control-expose-headers']).toContain('Retry-After')
  })
  it('answers a preflight without a key', async () => {
    const response = await app.call('OPTIONS', person(), { key: null })
    expect(response.statusCode).toBe(204)
    expect(response.headers.allow).toBe('GET, HEAD, PUT, PATCH, DELETE, OPTIONS')
    expect(response.headers['access-control-allow-headers']).toContain('Authorization')
    expect(response.headers['access-control-allow-methods']).toBe('GET, HEAD, PUT, PATCH, DELETE, OPTIONS')
  })
  it('allows whatever headers a preflight asks for, as clients add their own', async () => {
    const asked = 'authorization,content-type,x-posthog-client,baggage'
    const headers = {
      origin: 'https://example.com',
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': asked,
    }
    const response = await app.call('OPTIONS', person(), { key: null, headers })
    expect([response.statusCode, response.headers['access-control-allow-headers']]).toEqual([204, asked])
    expect(response.headers.vary).toBe('Access-Control-Request-Headers')
    expect(response.headers['access-control-allow-origin']).toBe('*')
    expect(response.headers['access-control-allow-credentials']).toBeUndefined()
  })
  it('answers no preflight for keys', async () => {
    const headers = { origin: 'https://example.com', 'access-control-request-headers': 'authorization' }
    const response = await app.call('OPTIONS', '/api/personal_api_keys/', { key: null, headers })
    expect(response.statusCode).toBe(204)
    expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
  })
  it('lets no other origin read keys', async () => {
    const response = await app.call('GET', '/api/personal_api_keys/@current/', {
      headers: { origin: 'https://example.com' },
    })
    expect(response.statusCode).toBe(200)
    expect(response.headers['access-control-allow-origin']).toBeUndefined()
  })
  it('gives every answer a request id, the caller’s own when it is valid', async () => {
    const given = await app.call('GET', person(), { headers: { 'x-request-id': 'trace-1' } })
    const made = await app.call('GET', person(), { headers: { 'x-request-id': 'no spaces here' } })
    expect(given.headers['x-request-id']).toBe('trace-1')
    expect(made.headers['x-request-id']).toMatch(/^[0-9a-f]{12}-\w+$/)
  })
  it('logs no secret', async () => {
    const key = await makeKey(app)
    await app.call('GET', person(), { key })
    await app.call('GET', person(), { key: `${key}x` })
    expect(app.logs.join('')).not.toContain(key)
  })
})

/** The port of the app, which listens from the first call on. */
async function listening(): Promise<number> {
  if (!app.server.server.listening) await app.server.listen({ host: '127.0.0.1', port: 0 })
  return (app.server.server.address() as { port: number }).port
}

describe('a body that is too large', () => {
  it('is read to its end, so that a client that is still sending gets its answer', async () => {
    const port = await listening()
    const size = 3_000_000
    const head = (method: string, path: string) => `${method} ${path} HTTP/1.1\r\nHost: x\r\n`
    const socket = connect(port, '127.0.0.1')
    let text = ''
    const seen = async (pattern: RegExp) => {
      while (!pattern.test(text)) {
        const [chunk] = await once(socket, 'data')
        text += chunk
      }
    }
    socket.write(`${head('PATCH', person())}Authorization: Bearer ${ROOT_KEY}\r\nContent-Type: application/json\r\n`)
    socket.write(`Content-Length: ${size}\r\n\r\n{`)
    await seen(/^HTTP\/1\.1 413 /)
    socket.write('x'.repeat(size - 1))
    socket.write(`${head('GET', '/_health')}\r\n`)
    await seen(/HTTP\/1\.1 200 /)
    socket.destroy()
  })
})

describe('a broken request line', () => {
  it('is answered with the one error body', async () => {
    const port = await listening()
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write('NONSENSE\r\n\r\n'))
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk
      })
      socket.on('end', () => resolve(text))
      socket.on('error', reject)
    })
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual(
      error('invalid_request', 'parse_error', 'The request could not be read as HTTP.'),
    )
  })
})

describe('rate limits', () => {
  it('are off by default, and stop a key at its limit when on', async () => {
    const limited = await makeApp({ env: { HEDGEROW_RATE_LIMITS: 'on' } })
    try {
      const statuses: number[] = []
      for (let i = 0; i < 241; i++)
        statuses.push((await limited.call('GET', '/api/environments/1/persons/1/')).statusCode)
      expect(statuses.slice(0, 240).every((status) => status === 404)).toBe(true)
      const refused = await limited.call('GET', '/api/environments/1/persons/1/')
      expect(refused.statusCode).toBe(429)
      expect(refused.headers).toMatchObject({
        'retry-after': '60',
        'ratelimit-limit': '240',
        'ratelimit-remaining': '0',
        'ratelimit-reset': '60',
      })
      expect(refused.json()).toEqual(
        error('throttled_error', 'throttled', 'Request was throttled. Expected available in 60 seconds.'),
      )
      limited.clock.advance(60_000)
      const again = await limited.call('GET', '/api/environments/1/persons/1/')
      expect(again.statusCode).toBe(404)
      expect(again.headers['ratelimit-limit']).toBe('240')
    } finally {
      await limited.end()
    }
  })
  it('stop an address that tries key after key, also when limits are off', async () => {
    let status = 401
    for (let i = 0; i < 1_001 && status === 401; i++) {
      status = (await app.call('GET', person(), { key: `phx_guess_${i}` })).statusCode
    }
    expect(status).toBe(429)
    expect((await app.call('GET', person())).statusCode).toBe(200)
  })
})

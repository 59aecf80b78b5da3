/** Headers that every response has, whatever the request and its outcome. */
import { connect } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { pathsOf } from '../../../src/http/mount.ts'
import { pageRoutes, rawRoutes, routes } from '../../../src/routes.ts'
import { makeApp, PROJECT_TOKEN } from '../../support/app.ts'

const app = await makeApp()
afterAll(() => app.end())

const filled = (path: string): string => path.replace(':project_id', '1').replace(/:\w+/g, '1').replace('*', 'x')

/** Of those whose answers end. */
const addresses = [
  ...routes(app.features)
    .filter(({ goesOn }) => !goesOn)
    .flatMap((route) => pathsOf(route).map((path): [string, string] => [route.method, path])),
  ...rawRoutes(app.features).flatMap(({ paths, methods }) =>
    paths.flatMap((path) => methods.map((method): [string, string] => [method, path])),
  ),
  ...pageRoutes(app.features).map(({ method, path }): [string, string] => [method, path]),
]

it('answers HEAD wherever it answers GET, by the same status and type and without a body, and says so', async () => {
  for (const path of new Set(addresses.flatMap(([method, path]) => (method === 'GET' ? [filled(path)] : [])))) {
    const [get, head] = [await app.call('GET', path), await app.call('HEAD', path)]
    const shown = ({ statusCode, headers }: typeof get) => [path, statusCode, headers['content-type']]
    expect(shown(head)).toEqual(shown(get))
    expect([path, head.rawPayload.length]).toEqual([path, 0])
    const refused = await app.call('PUT', path, { headers: { 'content-length': '0' } })
    if (refused.statusCode === 405) expect(refused.headers.allow, path).toMatch(/\bGET, HEAD\b/)
  }
})

describe('no answer is taken for another type than it says', () => {
  it('with or without a key, with an invalid body, and by another method', async () => {
    for (const [method, path] of addresses) {
      const url = filled(path)
      const answers = [
        await app.call(method, url, { key: null }),
        // Existing objects are read; nothing is changed.
        await app.call(method, url, method === 'GET' ? {} : { body: '{broken' }),
        await app.call('OPTIONS', url, { key: null }),
        await app.call(method === 'PUT' ? 'GET' : 'PUT', url, { key: null, headers: { 'content-length': '0' } }),
      ]
      for (const answer of answers) {
        expect(answer.headers['x-content-type-options'], `${method} ${url} ${answer.statusCode}`).toBe('nosniff')
      }
    }
  })

  it.each([
    ['GET', '/nowhere'],
    ['GET', '/api/nowhere/'],
    ['POST', '/%zz'],
    ['GET', '/static/nowhere.js'],
    ['GET', '/static/array.js'],
    ['GET', '/metrics'],
    ['HEAD', '/_health'],
    ['GET', `/api/environments/1/persons/${'9'.repeat(600)}/`],
  ])('%s %s', async (method, path) => {
    expect((await app.call(method, path)).headers['x-content-type-options']).toBe('nosniff')
  })

  it('taken events, files that are known already, and bodies that are too large', async () => {
    const event = { api_key: PROJECT_TOKEN, event: 'x', distinct_id: 'a' }
    const taken = await app.call('POST', '/i/v0/e/', { key: null, body: event })
    const { etag } = (await app.call('GET', '/static/array.js')).headers
    const known = await app.call('GET', '/static/array.js', { headers: { 'if-none-match': String(etag) } })
    const large = await app.call('POST', '/api/projects/', { body: { name: 'x'.repeat(2_100_000) } })
    expect([taken.statusCode, known.statusCode, large.statusCode]).toEqual([200, 304, 413])
    for (const answer of [taken, known, large]) expect(answer.headers['x-content-type-options']).toBe('nosniff')
  })

  it('nor is what answers no request at all', async () => {
    await app.server.listen({ host: '127.0.0.1', port: 0 })
    const address = app.server.server.address()
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0
    const socket = connect(port, '127.0.0.1')
    socket.end('nonsense\r\n\r\n')
    let text = ''
    for await (const chunk of socket) text += chunk
    expect(text).toMatch(/^HTTP\/1\.1 400 /)
    expect(text.toLowerCase()).toContain('x-content-type-options: nosniff')
  })
})

/** Rules for every route. Uses the list of routes, so a new one is covered automatically. */
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { grants, isKnownScope } from '../../../src/http/access/scope.ts'
import { pathsOf } from '../../../src/http/mount.ts'
import type { Method, Route } from '../../../src/http/route.ts'
import { routes } from '../../../src/routes.ts'
import { makeApp, ROOT_KEY } from '../../support/app.ts'
import { makeKey, makeStranger } from '../../support/make.ts'

const METHODS: Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
/** A scope that exists and that no route requires. */
const USELESS = 'webhook:read'

const app = await makeApp()
const all = routes(app.features)
let useless: string
let stranger: string
let rootKeyId: string

beforeAll(async () => {
  useless = await makeKey(app, { scopes: [USELESS] })
  stranger = (await makeStranger(app)).key
  rootKeyId = (await app.call('GET', '/api/personal_api_keys/@current/')).json().id
})
afterAll(() => app.end())

/** The route's addresses in project 1, other parameters filled with `id`. */
const addresses = (route: Route, id = '1'): string[] =>
  pathsOf(route).map((path) => path.replace(':project_id', '1').replace(/:\w+/g, id))

const toggled = (path: string): string => (path.endsWith('/') ? path.slice(0, -1) : `${path}/`)

/** What a page refers to is relative to its own address: here as the path it leads to. */
const withPathsOf = (page: string, body: string): string =>
  body.replace(/(src|href)="(\.[^"]*)"/g, (_, name: string, address: string) => {
    const { pathname } = new URL(address, `http://localhost${page}`)
    return `${name}="${pathname}"`
  })

const scopesOf = ({ scope }: Route): string[] => {
  if (typeof scope === 'string') return [scope]
  return Array.isArray(scope) ? scope : []
}

const titled = (some: Route[]): [string, Route][] => some.map((one) => [`${one.method} ${one.level} ${one.path}`, one])
const keyed = all.filter((one) => one.level !== 'public')

describe.each(titled(all))('%s', (_title, route) => {
  it('requires scopes that exist, or says why none', () => {
    const { scope } = route
    if (typeof scope === 'object' && 'none' in scope) expect(scope.none).not.toBe('')
    else expect(scopesOf(route).length).toBeGreaterThan(0)
    for (const needed of scopesOf(route)) expect(isKnownScope(needed), needed).toBe(true)
  })

  it('has a summary of one line, a tag, and an example that its own response schema lets out', () => {
    expect(route.summary).toMatch(/^\S.*[^.\s]$/)
    expect(route.tag).not.toBe('')
    expect(route.response).toBeTypeOf('object')
    const check = Compile(route.response)
    expect(check.Errors(route.example)).toEqual([])
    expect(check.Check(route.example)).toBe(true)
  })

  it('describes each parameter of its path', () => {
    for (const [, name = ''] of route.path.matchAll(/:(\w+)/g)) {
      expect(route.params?.properties[name], name).toHaveProperty('description')
    }
  })

  it('answers with and without a trailing slash, and under both prefixes, in the same way', async () => {
    // An answer that goes on is not waited for.
    const key = route.method === 'GET' && !route.goesOn ? ROOT_KEY : null
    const asked = addresses(route).flatMap((path) => [path, toggled(path)])
    const [first, ...others] = await Promise.all(
      asked.map(async (path) => {
        const { statusCode, headers, body } = await app.call(route.method, path, { key })
        // Metrics have moved on between two calls.
        const shown = route.path === '/metrics' ? '' : withPathsOf(path, body)
        return { statusCode, type: headers['content-type'], body: shown }
      }),
    )
    expect(first?.body).not.toContain('Endpoint not found')
    for (const other of others) expect(other).toEqual(first)
  })
})

describe.each(titled(keyed))('%s', (_title, route) => {
  it('refuses a request without a key', async () => {
    for (const path of addresses(route)) {
      const answer = await app.call(route.method, path, { key: null })
      expect(answer.statusCode).toBe(401)
      expect(answer.headers['www-authenticate']).toBe('Bearer')
      expect(answer.json()).toMatchObject({ type: 'authentication_error', code: 'not_authenticated', attr: null })
    }
  })

  it('refuses an unknown key', async () => {
    const answer = await app.call(route.method, addresses(route)[0] ?? '', { key: 'phx_nobody_has_this_key' })
    expect(answer.statusCode).toBe(401)
    expect(answer.json()).toMatchObject({ code: 'authentication_failed' })
  })
})

describe.each(titled(keyed.filter((one) => scopesOf(one).length > 0)))('%s', (_title, route) => {
  it('refuses a key without the scope, and names it', async () => {
    expect(scopesOf(route).some((needed) => grants([USELESS], needed))).toBe(false)
    for (const path of addresses(route)) {
      const answer = await app.call(route.method, path, { key: useless })
      expect(answer.statusCode).toBe(403)
      expect(answer.json()).toEqual({
        type: 'authentication_error',
        code: 'permission_denied',
        detail: `API key missing required scope '${scopesOf(route)[0]}'`,
        attr: null,
      })
    }
  })
})

/** Keys have no sign-ins: there, nothing is looked for. */
const isOfSignIns = ({ path }: Route): boolean => path.includes('/login_sessions/')
const reachable = keyed.filter((one) => one.level === 'project' || one.path.includes(':'))

describe.each(titled(reachable))('%s', (_title, route) => {
  it("refuses a stranger's key, however much it may do elsewhere", async () => {
    for (const path of addresses(route, rootKeyId)) {
      const answer = await app.call(route.method, path, { key: stranger, body: {} })
      expect(answer.statusCode).toBe(route.level === 'project' || isOfSignIns(route) ? 403 : 404)
      expect(answer.body).not.toContain(ROOT_KEY.slice(0, 8))
    }
  })
})

const paths = [...new Set(all.flatMap(pathsOf))]

describe.each(paths)('%s', (pattern) => {
  const group = all.filter((one) => pathsOf(one).includes(pattern))
  const present = group.map((one) => one.method)
  const address = pattern.replace(':project_id', '1').replace(/:\w+/g, '1')

  it('refuses every method it does not have with 405, and says which it has', async () => {
    for (const method of METHODS.filter((candidate) => !present.includes(candidate))) {
      const answer = await app.call(method, address)
      expect(answer.statusCode, method).toBe(405)
      expect(answer.json()).toMatchObject({ type: 'invalid_request', code: 'method_not_allowed', attr: null })
      const allowed = [...present, ...(present.includes('GET') ? ['HEAD'] : []), 'OPTIONS']
      expect(String(answer.headers.allow).split(', ').sort()).toEqual(allowed.sort())
    }
  })

  it('has each method once, and one level for all of them', () => {
    expect(new Set(present).size).toBe(present.length)
    expect(new Set(group.map((one) => one.level)).size).toBe(1)
  })
})

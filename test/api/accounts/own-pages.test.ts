/** Where a request has to come from for the cookie of a sign-in to count: every combination of what browsers say. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeApp, ROOT_KEY, type TestApp } from '../../support/app.ts'
import { postLogin, signIn } from '../../support/sign-in.ts'

const HOST = 'analytics.example.com:8000'
const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'] as const
const SITES = [undefined, 'same-origin', 'same-site', 'cross-site', 'none'] as const
const ORIGINS = [
  undefined,
  `http://${HOST}`,
  `https://${HOST}`,
  'http://analytics.example.com',
  'http://analytics.example.com:8001',
  'http://evil.example.com:8000',
  'null',
  '',
] as const

let app: TestApp
let cookie: string
beforeAll(async () => {
  app = await makeApp()
  cookie = await signIn(app, { personal_api_key: ROOT_KEY })
})
afterAll(() => app.end())

/** The contract's words, once more. */
function counts(method: string, site: string | undefined, origin: string | undefined): boolean {
  if (site !== undefined && site !== 'same-origin') return false
  if (origin !== undefined) return [`http://${HOST}`, `https://${HOST}`].includes(origin)
  return site === 'same-origin' || method === 'GET' || method === 'HEAD'
}

const headersOf = (site: string | undefined, origin: string | undefined) => ({
  host: HOST,
  ...(site === undefined ? {} : { 'sec-fetch-site': site }),
  ...(origin === undefined ? {} : { origin }),
})

describe.each(METHODS)('%s', (method) => {
  describe.each(SITES)('Sec-Fetch-Site %s', (site) => {
    it.each(ORIGINS)('Origin %s', async (origin) => {
      // Nobody has this id: what is not refused is not found, or not allowed.
      const path = '/api/environments/1/persons/123456/'
      const ask = (headers: Record<string, string>, key: string | null) => app.call(method, path, { key, headers })
      const sent = headersOf(site, origin)
      const byCookie = await ask({ ...sent, cookie }, null)
      const byKey = await ask(sent, ROOT_KEY)
      expect(byKey.statusCode).not.toBe(403)
      expect(byCookie.statusCode).toBe(counts(method, site, origin) ? byKey.statusCode : 403)
      expect((await ask(sent, null)).statusCode).toBe(401)
      expect(byCookie.headers['access-control-allow-credentials']).toBeUndefined()
    })
  })
})

describe('signing in', () => {
  it.each(['/api/login/', '/api/signup/', '/api/reset/'])('by %s wants the same', async (path) => {
    for (const site of SITES)
      for (const origin of ORIGINS) {
        const { statusCode } = await app.call('POST', path, { key: null, body: {}, headers: headersOf(site, origin) })
        expect([site, origin, statusCode]).toEqual([site, origin, counts('POST', site, origin) ? 400 : 403])
      }
  })

  it('by another site signs nobody out', async () => {
    const own = await signIn(app, { personal_api_key: ROOT_KEY })
    const out = await app.call('POST', '/logout', {
      key: null,
      headers: { cookie: own, 'sec-fetch-site': 'cross-site' },
    })
    expect(out.statusCode).toBe(403)
    const still = await app.call('GET', '/api/users/@me/', { key: null, headers: { cookie: own } })
    expect(still.statusCode).toBe(200)
  })

  it('is possible without Sec-Fetch-Site, where browsers do not send it: over plain HTTP', async () => {
    const sent = { host: HOST, origin: `http://${HOST}` }
    const answer = await app.call('POST', '/api/login/', {
      key: null,
      body: { personal_api_key: ROOT_KEY },
      headers: sent,
    })
    expect(answer.statusCode).toBe(200)
    expect((await postLogin(app, { personal_api_key: ROOT_KEY })).statusCode).toBe(200)
  })
})

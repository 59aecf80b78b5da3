/** What the server answers to whoever opens its address to see what it is. */
import { afterAll, describe, expect, it } from 'vitest'
import { makeApp, type TestApp } from '../../support/app.ts'

/** What a browser gets at `/` is in app-page.test.ts. */
const HEDGEROW_WEB_APP = 'off'
const app = await makeApp({ env: { HEDGEROW_WEB_APP } })
const behind = await makeApp({ env: { HEDGEROW_WEB_APP, HEDGEROW_PUBLIC_URL: 'https://a.example/hr' } })
afterAll(() => Promise.all([app.end(), behind.end()]))

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
const open = (path: string, headers: Record<string, string> = {}, of: TestApp = app) =>
  of.call('GET', path, { key: null, headers })
const linksIn = (html: string): string[] => [...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href ?? '')

describe.each([
  ['/', 'Hedgerow is running'],
  ['/api/', 'The API of Hedgerow'],
  ['/api', 'The API of Hedgerow'],
])('%s', (path, title) => {
  it('is a page for a browser, with links that lead somewhere', async () => {
    const answer = await open(path, BROWSER)
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(answer.body).toContain(`<h1>${title}</h1>`)
    const links = linksIn(answer.body).filter((href) => href.startsWith('http'))
    expect(links.length).toBeGreaterThan(0)
    for (const link of links) expect((await open(new URL(link).pathname)).statusCode).toBe(200)
  })
  it('is JSON for a program', async () => {
    const answer = await open(path, { accept: '*/*' })
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
    const { docs, schema } = answer.json()
    expect(new URL(docs).pathname).toBe('/api/docs/')
    expect(new URL(schema).pathname).toBe('/api/schema/')
    expect(answer.headers.vary).toContain('Accept')
  })
  it('has the links of the public address, with its path', async () => {
    expect((await open(`${path}?x=1`, {}, behind)).json().docs).toBe('https://a.example/hr/api/docs/')
    const page = await open(`${path}?x=1`, BROWSER, behind)
    expect(page.body).toContain('href="https://a.example/hr/api/docs/"')
    if (path === '/') expect(page.body).toContain("api_host: 'https://a.example/hr'")
  })
  it('answers HEAD, and refuses other methods', async () => {
    expect((await app.call('HEAD', path, { key: null })).statusCode).toBe(200)
    expect((await app.call('POST', path, { key: null, body: {} })).statusCode).toBe(405)
  })
})

describe('/favicon.ico', () => {
  it('is a picture, which a browser keeps', async () => {
    const answer = await open('/favicon.ico')
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/png'])
    expect(answer.rawPayload.subarray(1, 4).toString()).toBe('PNG')
    const { etag } = answer.headers
    expect((await open('/favicon.ico', { 'if-none-match': String(etag) })).statusCode).toBe(304)
  })
})

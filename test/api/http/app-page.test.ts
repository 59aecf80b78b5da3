/** The page of the web app and its files, as browsers get them; nobody is signed in here. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAppPageFeature } from '../../../src/features/app-page/app-page.feature.ts'
import { APP_PATHS } from '../../../src/features/app-page/app-paths.ts'
import type { SignedIn } from '../../../src/features/app-page/boot-data.ts'
import type { PageCall } from '../../../src/http/page-routes.ts'
import { makeApp, type TestApp } from '../../support/app.ts'

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const BUILT = new URL('../../../dist/web/app/', import.meta.url).pathname

let app: TestApp
let without: TestApp
beforeAll(async () => {
  app = await makeApp()
  without = await makeApp({ env: { HEDGEROW_WEB_APP: 'off' } })
})
afterAll(() => Promise.all([app.end(), without.end()]))

const open = (path: string, headers: Record<string, string> = BROWSER, of: TestApp = app) =>
  of.call('GET', path, { key: null, headers })
const bootOf = (html: string) => JSON.parse(/id="boot">(.*)<\/script>/.exec(html)?.[1] ?? '')

const paths = ['/', ...APP_PATHS.map((path) => path.replace('*', 'a/b'))]

describe.each(paths)('%s', (path) => {
  it('is the page of the app, which no cache keeps and no site frames', async () => {
    const { statusCode, headers, body } = await open(path)
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(body).toContain('<div id="app">')
    expect(body).toMatch(/<noscript>[\s\S]*The web app needs JavaScript/)
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['x-frame-options']).toBe('DENY')
    expect(headers['cross-origin-opener-policy']).toBe('same-origin')
    expect(headers['cross-origin-resource-policy']).toBe('same-origin')
    expect(headers['referrer-policy']).toBe('same-origin')
    expect(headers['permissions-policy']).toMatch(/camera=\(\).*fullscreen=\(self\)/)
  })
  it('has a policy without any exception', async () => {
    const policy = String((await open(path)).headers['content-security-policy'])
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/)
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(policy).toContain("frame-ancestors 'none'")
  })
  it('knows that nobody is signed in, and says nothing of the version', async () => {
    expect(bootOf((await open(path)).body)).toMatchObject({ version: null, signed_in: null })
  })
  it('loads files that are there', async () => {
    const { body } = await open(path)
    const files = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(
      ([, href]) => new URL(href ?? '', `http://x${path}`),
    )
    expect(files.length).toBeGreaterThan(2)
    for (const { pathname } of files) expect([pathname, (await open(pathname)).statusCode]).toEqual([pathname, 200])
  })
  it('is not there when the app is switched off', async () => {
    const { statusCode, body } = await open(path, BROWSER, without)
    if (path === '/') expect(body).toContain('The web app is switched off')
    else expect([statusCode, JSON.parse(body).code]).toEqual([404, 'not_found'])
  })
})

it.each(['/nowhere', '/persons', '/project', '/loginx'])('%s stays unknown', async (path) => {
  const { statusCode, headers } = await open(path)
  expect([statusCode, headers['content-type']]).toEqual([404, 'application/json; charset=utf-8'])
})

describe('a file of the app', () => {
  const name = () => readdirSync(BUILT).find((file) => /^vendor-.*\.js$/.test(file)) ?? ''

  it('is sent as the build compressed it, for good, and plain to whoever wants that', async () => {
    const path = `/static/app/${name()}`
    const [plain, br, gzip] = await Promise.all([
      open(path),
      open(path, { 'accept-encoding': 'br' }),
      open(path, { 'accept-encoding': 'gzip' }),
    ])
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(plain.headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect([br.headers['content-encoding'], gzip.headers['content-encoding']]).toEqual(['br', 'gzip'])
    expect(brotliDecompressSync(br.rawPayload).equals(plain.rawPayload)).toBe(true)
    expect(gunzipSync(gzip.rawPayload).equals(plain.rawPayload)).toBe(true)
    expect(br.headers.vary).toContain('Accept-Encoding')
    const again = await open(path, { 'if-none-match': String(br.headers.etag) })
    expect(again.statusCode).toBe(304)
  })
  it.each(['app.html', 'manifest.json', '..%2Fplayer%2Fplayer.js', 'unknown-12345678.js', '.built', '%00'])(
    'is not anything else of the folder: %s',
    async (file) => expect((await open(`/static/app/${file}`)).statusCode).toBe(404),
  )
  it('is not there when the app is switched off', async () => {
    expect((await open(`/static/app/${name()}`, {}, without)).statusCode).toBe(404)
  })
  it('is beside the licences of what it contains, and the name of the build', async () => {
    expect((await open('/static/app/licenses.txt')).body).toContain('react-dom')
    const answer = await open('/static/app/build.json')
    expect(answer.json().build).toBe(bootOf((await open('/')).body).build)
    expect(answer.headers['cache-control']).toBe('no-store')
  })
})

describe('for somebody who is signed in', () => {
  const ann: SignedIn = {
    user: { uuid: 'u', email: 'ann@example.com', first_name: 'Ann', last_name: '' },
    via: 'password',
    theme_mode: 'dark',
    current_project: 1,
    projects: [],
  }
  const feature = createAppPageFeature({ enabled: true, boot: async () => ann, version: '1.2.3' })
  const show = async (headers: PageCall['headers'], query: PageCall['query'] = {}) =>
    String((await feature.open({ headers, query, root: './' } as PageCall)).body)

  it('the page says who they are, and has their theme', async () => {
    const html = await show({ 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'cross-site' })
    expect(bootOf(html)).toMatchObject({ root: './', version: '1.2.3', signed_in: ann })
    expect(html).toContain('data-theme="dark"')
  })
  it('the address may name another theme', async () => {
    expect(await show({}, { theme: 'light' })).toContain('data-theme="light"')
    expect(await show({}, { theme: '"><script>' })).toContain('data-theme="dark"')
  })
  it('what another site loads is the page of a stranger', async () => {
    const html = await show({ 'sec-fetch-mode': 'no-cors', 'sec-fetch-site': 'cross-site' })
    expect(bootOf(html).signed_in).toBe(null)
  })
})

it('an app that is not built says what to do', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hedgerow-no-app-'))
  const feature = createAppPageFeature({ enabled: true, boot: async () => null, version: '1', folder: `${folder}/` })
  const call = { headers: {}, query: {}, root: './' } as PageCall
  const { status, body } = await feature.open(call)
  expect([status, await feature.show(call)]).toEqual([503, null])
  expect(body).toContain('npm run build')
  await expect(feature.file('app-12345678.js', {})).rejects.toThrow('Not found.')
  rmSync(folder, { recursive: true })
})

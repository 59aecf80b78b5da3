/** The page of the web app and its files, as browsers get them. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAppPageFeature } from '../../../src/features/app-page/app-page.feature.ts'
import { APP_PATHS } from '../../../src/features/app-page/app-paths.ts'
import type { PageCall } from '../../../src/http/page-routes.ts'
import type { BootData } from '../../../src/model/accounts/boot-data.ts'
import type { MemberLevel } from '../../../src/model/accounts/user.ts'
import { mayUse } from '../../../src/web/app/data/boot.ts'
import { makeApp, PROJECT_TOKEN, type TestApp } from '../../support/app.ts'
import { makeKey, makeRecording } from '../../support/make.ts'
import { givePassword, OWN_PAGE, signIn } from '../../support/sign-in.ts'

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

describe('/player-frame', () => {
  it('is a page with a policy of its own, which only pages of ours have in a frame', async () => {
    const { statusCode, headers, body } = await open('/player-frame?theme=dark')
    expect(statusCode).toBe(200)
    expect(body).toContain('data-theme="dark"')
    expect(headers['x-frame-options']).toBe('SAMEORIGIN')
    const policy = String(headers['content-security-policy'])
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'nonce-[^']+'; style-src 'unsafe-inline';.*frame-ancestors 'self'$/,
    )
    expect(body).toContain(`nonce="${/'nonce-([^']+)'/.exec(policy)?.[1]}"`)
    expect(body).not.toContain('<link rel="stylesheet"')
    expect(policy).not.toContain('http')
    const remote = await open('/player-frame?remote=1&theme=<b>')
    expect(remote.body).toContain('data-theme="system"')
    expect(String(remote.headers['content-security-policy'])).toMatch(/img-src [^;]*https: http:;/)
  })
  it('is not there without the app', async () => {
    expect((await open('/player-frame', BROWSER, without)).statusCode).toBe(404)
  })
})

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

describe('the sharing answer', () => {
  it('leads to a page of the app, if it is served', async () => {
    const leadsTo = async (of: TestApp) => {
      const { sessionId } = await makeRecording(of)
      const path = `/api/environments/1/session_recordings/${sessionId}/sharing/`
      return (await of.call('GET', path)).json().replay_url as string | null
    }
    const { status, type } = await open(new URL((await leadsTo(app)) ?? '').pathname).then(
      ({ statusCode, headers }) => ({ status: statusCode, type: headers['content-type'] }),
    )
    expect([status, type]).toEqual([200, 'text/html; charset=utf-8'])
    expect(await leadsTo(without)).toBeNull()
  })
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
  it.each(['app.html', 'manifest.json', '..%2Fplayer%2Fshared-page.js', 'unknown-12345678.js', '.built', '%00'])(
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
  const NAVIGATES = { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'cross-site' }
  const boot = async (path: string, cookie: string, headers: Record<string, string> = NAVIGATES) =>
    bootOf((await open(path, { ...BROWSER, ...headers, cookie })).body) as BootData
  const patch = (body: unknown, path = '/api/users/@me/') => app.call('PATCH', path, { body })
  let cookie: string
  beforeAll(async () => {
    await givePassword(app)
    cookie = await signIn(app)
  })

  it('the page says who they are, what they may do, and which version runs', async () => {
    const { version, signed_in } = await boot('/', cookie)
    expect(version).toMatch(/^\d/)
    expect(signed_in).toMatchObject({
      user: { email: 'admin@localhost' },
      via: 'password',
      theme_mode: 'system',
      scopes: ['*'],
      current_project: 1,
      projects: [{ id: 1, api_token: PROJECT_TOKEN, level: 15, scopes: ['*'], ingested_event: false }],
      project_count: 1,
    })
  })
  it('names of users and projects stay data, whatever they contain', async () => {
    const name = '</script><script>alert(1)</script><!-- \u2028 שלום 🌿'
    await patch({ name }, '/api/environments/1/')
    await patch({ first_name: '</SCRIPT >' })
    const { body } = await open('/', { ...BROWSER, ...NAVIGATES, cookie })
    expect(body.match(/<\/script/gi)).toHaveLength((await open('/')).body.match(/<\/script/gi)?.length ?? 0)
    expect(bootOf(body).signed_in).toMatchObject({ user: { first_name: '</SCRIPT >' }, projects: [{ name }] })
  })
  it('it has their theme, unless the address names another one', async () => {
    await patch({ theme_mode: 'dark' })
    const show = async (path: string) => (await open(path, { ...BROWSER, ...NAVIGATES, cookie })).body
    expect(await show('/')).toContain('data-theme="dark"')
    expect(await show('/?theme=light')).toContain('data-theme="light"')
    expect(await show('/?theme="><script>')).toContain('data-theme="dark"')
  })
  it('what another site loads is the page of a stranger', async () => {
    const foreign = { 'sec-fetch-mode': 'no-cors', 'sec-fetch-site': 'cross-site' }
    expect((await boot('/', cookie, foreign)).signed_in).toBe(null)
  })
  it.each(['hedgerow=wrong', 'hedgerow=', '__Host-hedgerow=x', '=;;='])(
    'a wrong cookie is nobody’s: %s',
    async (wrong) => expect((await boot('/', wrong)).signed_in).toBe(null),
  )
  it('who has signed out is a stranger', async () => {
    const other = await signIn(app)
    expect((await boot('/', other)).signed_in).not.toBe(null)
    await app.call('POST', '/logout', { key: null, headers: { ...OWN_PAGE, cookie: other } })
    expect((await boot('/', other)).signed_in).toBe(null)
  })
  it('a sign-in by a key has its rights, and only its projects', async () => {
    const made = await app.call('POST', '/api/projects/', { body: { name: 'Other' } })
    const key = await makeKey(app, { scopes: ['person:read', 'project:write'], scopedTeams: [made.json().id] })
    const { signed_in } = await boot('/', await signIn(app, { personal_api_key: key }))
    const rights = ['person:read', 'project:write']
    expect(signed_in).toMatchObject({ via: 'key', scopes: rights, projects: [{ name: 'Other', scopes: rights }] })
    expect(signed_in?.projects).toHaveLength(1)
  })
  it.each([
    [8, 'person:write', true, 'project:write', true],
    [1, 'person:write', true, 'project:write', false],
    [0, 'person:read', true, 'person:write', false],
  ] as const)('at level %i the scopes are those of the level', async (level, one, has, another, hasToo) => {
    const organizationId = (await app.stores.projects.find(1))?.organizationId ?? ''
    const setLevel = async (to: MemberLevel) => {
      await app.stores.transaction((tx) => tx.users.addMember(organizationId, 1, to))
      app.features.keys.authenticator.forget()
    }
    await setLevel(level)
    const { signed_in } = await boot('/', cookie)
    await setLevel(15)
    const scopes = signed_in?.projects[0]?.scopes ?? []
    expect([mayUse(scopes, one), mayUse(scopes, another)]).toEqual([has, hasToo])
    expect([signed_in?.scopes, signed_in?.projects[0]?.level]).toEqual([['*'], level])
  })
  it('the project of the address is there, however many there are; a foreign one is not', async () => {
    const base = await app.stores.projects.find(1)
    if (!base) throw new Error('There is no project 1.')
    const { id: _, ...settings } = base
    const make = (n: number, organizationId = base.organizationId) =>
      app.stores.transaction((tx) =>
        tx.projects.create({
          ...settings,
          organizationId,
          uuid: randomUUID(),
          apiToken: `phc_many_${n}`,
          name: `${n}`,
        }),
      )
    const made = []
    for (let n = 0; n < 210; n++) made.push(await make(n))
    const last = made.at(-1)
    const foreignId = randomUUID()
    await app.stores.transaction((tx) =>
      tx.users.createOrganization({ id: foreignId, name: 'Foreign', createdAt: app.clock.now() }),
    )
    const foreign = await make(999, foreignId)
    const idsAt = async (path: string) => (await boot(path, cookie)).signed_in?.projects.map(({ id }) => id)
    expect((await boot('/', cookie)).signed_in?.project_count).toBeGreaterThanOrEqual(211)
    expect(await idsAt('/')).toHaveLength(200)
    expect(await idsAt('/')).not.toContain(last?.id)
    expect(await idsAt(`/project/${last?.id}/start`)).toContain(last?.id)
    expect(await idsAt(`/project/${last?.apiToken}`)).toContain(last?.id)
    expect(await idsAt(`/project/${foreign.id}/start`)).not.toContain(foreign.id)
    expect(await idsAt('/project/99999999999999999999/start')).toHaveLength(200)
  })
})

it('an app that is not built says what to do', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hedgerow-no-app-'))
  const feature = createAppPageFeature({
    enabled: true,
    version: '1',
    folder: `${folder}/`,
    stores: app.stores,
    access: app.features.keys.authenticator,
  })
  const call = { headers: {}, query: {}, root: './' } as PageCall
  const { status, body } = await feature.open(call)
  expect([status, await feature.show(call)]).toEqual([503, null])
  expect(body).toContain('npm run build')
  await expect(feature.file('app-12345678.js', {})).rejects.toThrow('Not found.')
  rmSync(folder, { recursive: true })
})

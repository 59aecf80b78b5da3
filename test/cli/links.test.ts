/** One-time links by which a user sets its password: from the command line, and from a start while nobody has one. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { users } from '../../src/cli/accounts/users.ts'
import { FirstKey } from '../../src/cli/first-key.ts'
import { welcome } from '../../src/cli/welcome.ts'
import { makeApp, type TestApp } from '../support/app.ts'
import { printed, sentenceOf } from '../support/command.ts'
import { givePassword, OWN_PAGE } from '../support/sign-in.ts'

const EMAIL = 'admin@localhost'
let app: TestApp
beforeEach(async () => {
  app = await makeApp()
  await app.server.listen({ host: '127.0.0.1', port: 0 })
})
afterEach(() => app.end())

const link = (...args: string[]) => printed(() => users(['link', ...args], app.config))
const signUp = (token: string, rest: object = {}) =>
  app.call('POST', '/api/signup/', { key: null, headers: OWN_PAGE, body: { token, ...rest } })
const tokenOf = (url: string): string => new URL(url.trim()).hash.slice(1)
const PASSWORD = { password: 'correct horse battery' }

describe('hedgerow users link', () => {
  it('prints a link that sets a first password, and later another one', async () => {
    const first = await link('ADMIN@localhost')
    expect(first).toMatch(/^http:\/\/localhost:\d+\/setup#[A-Za-z0-9]{43}\n$/)
    expect((await signUp(tokenOf(first))).json()).toMatchObject({ purpose: 'setup', target_email: EMAIL })
    expect((await signUp(tokenOf(first), PASSWORD)).statusCode).toBe(201)
    const second = await link(EMAIL)
    expect(second).toMatch(/\/reset#[A-Za-z0-9]{43}\n$/)
    expect((await signUp(tokenOf(second), PASSWORD)).statusCode).toBe(201)
    expect((await signUp(tokenOf(second), PASSWORD)).json()).toMatchObject({ code: 'link_used' })
  })

  it('all links work until one was used', async () => {
    const [one, other] = [tokenOf(await link(EMAIL)), tokenOf(await link(EMAIL))]
    expect((await signUp(one)).statusCode).toBe(200)
    expect((await signUp(other, PASSWORD)).statusCode).toBe(201)
    expect((await signUp(one)).statusCode).toBe(400)
  })

  it('begins with the public address, where there is one', async () => {
    const config = { ...app.config, publicUrl: 'https://stats.example/hr' }
    const text = await printed(() => users(['link', EMAIL], config))
    expect(text).toMatch(/^https:\/\/stats\.example\/hr\/setup#/)
  })

  it('refuses what it cannot do with a message', async () => {
    expect(await sentenceOf(link('nobody@example.com'))).toBe('There is no user nobody@example.com.')
    expect(await sentenceOf(link())).toContain('users link needs the e-mail address of a user.')
    expect(await sentenceOf(link('a', 'b'))).toContain('users link needs the e-mail address of a user.')
  })
})

describe('a start', () => {
  const start = async (isTerminal: boolean, config = app.config) => {
    const firstKey = new FirstKey(app.dataDir, null)
    return (await welcome({ app, config, firstKey, demo: null, now: app.clock.now() }, isTerminal)).text
  }
  const file = () => join(app.dataDir, 'setup-link')
  const SHOWN = /Open this once\s+(\S+)/

  it('shows a link on a terminal while nobody has a password', async () => {
    const [, url = ''] = SHOWN.exec(await start(true)) ?? []
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/setup#[A-Za-z0-9]{43}$/)
    expect(existsSync(file())).toBe(false)
    expect((await signUp(tokenOf(url))).json()).toMatchObject({ purpose: 'setup', target_email: EMAIL })
  })

  it('keeps it in a file of its own elsewhere, which goes when it is used', async () => {
    const text = await start(false)
    expect(text).toContain(`the link in ${file()}`)
    expect(text).not.toContain('#')
    expect(statSync(file()).mode & 0o777).toBe(0o600)
    const token = tokenOf(readFileSync(file(), 'utf8'))
    await start(false)
    expect(tokenOf(readFileSync(file(), 'utf8'))).not.toBe(token)
    expect((await signUp(token, PASSWORD)).statusCode).toBe(201)
    expect(existsSync(file())).toBe(false)
    expect(await start(false)).not.toContain('Open this once')
    expect(existsSync(file())).toBe(false)
  })

  it('has none when a user has a password', async () => {
    await givePassword(app)
    expect(await start(true)).not.toMatch(SHOWN)
  })

  it('has none without the web app, whose page it opens', async () => {
    expect(await start(true, { ...app.config, webApp: false })).not.toMatch(SHOWN)
    await start(false, { ...app.config, webApp: false })
    expect(existsSync(file())).toBe(false)
  })
})

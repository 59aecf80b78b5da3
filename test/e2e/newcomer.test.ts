/**
 * A newcomer's path, on the package that `npm pack` makes: install it, start it in an empty folder with the demo, paste
 * the printed lines, look at the demo and the documentation, share a recording, have a report sent.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, expect, it } from 'vitest'
import { type Running, start, useFolder } from '../support/program.ts'
import { type MailServer, startMailServer } from '../support/servers/smtp.ts'

const sh = promisify(execFile)
const require = createRequire(import.meta.url)
const folder = useFolder()

let mail: MailServer | null = null
afterEach(async () => {
  await mail?.stop()
  mail = null
})

/** Nothing of the npm that may run the tests. */
const npmEnv = (more: Record<string, string> = {}): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_(?:lifecycle|package)_/.test(name))),
  ...more,
})

/** The archive in which better-sqlite3's install script looks first: compiling takes minutes. Holds what npm ci made. */
async function packBinary(into: string): Promise<void> {
  const manifest = require.resolve('better-sqlite3/package.json')
  const { version } = require(manifest) as { version: string }
  const name = `better-sqlite3-v${version}-node-v${process.versions.modules}-${process.platform}-${process.arch}.tar.gz`
  mkdirSync(into)
  await sh('tar', ['-czf', join(into, name), '-C', dirname(manifest), 'build/Release/better_sqlite3.node'])
}

/** Packs the project and installs the package as a command; returns the command's file. */
async function install(): Promise<{ command: string; packed: string[] }> {
  const { stdout: name } = await sh('npm', ['pack', '--silent', '--pack-destination', folder()], { env: npmEnv() })
  const file = join(folder(), basename(name.trim().split('\n').at(-1) ?? ''))
  const { stdout: list } = await sh('tar', ['-tzf', file])
  await packBinary(join(folder(), 'prebuilds'))
  const args = ['install', '--global', '--prefix', join(folder(), 'prefix'), '--prefer-offline', '--no-audit']
  const env = npmEnv({ npm_config_better_sqlite3_local_prebuilds: join(folder(), 'prebuilds') })
  await sh('npm', [...args, '--no-fund', '--allow-scripts=better-sqlite3', file], { env, cwd: folder() })
  return { command: join(folder(), 'prefix', 'bin', 'hedgerow'), packed: list.trim().split('\n') }
}

type Json = Record<string, unknown> & { results: Record<string, unknown>[] }

it('installs, starts, receives, shows, shares and reports', async () => {
  const { command, packed } = await install()
  expect(packed.filter((path) => /(?:^|\/)(?:test|src|bench)\/|\.test\.|\.map$|\.ts$/.test(path))).toEqual([])
  expect(packed).toEqual(expect.arrayContaining(['package/dist/start.cjs', 'package/README.md', 'package/LICENSE']))

  mail = await startMailServer()
  const cwd = join(folder(), 'empty')
  mkdirSync(cwd)
  const env = { HEDGEROW_SMTP_URL: mail.url, HEDGEROW_MAIL_FROM: 'Acme <reports@acme.example>' }
  const options = { program: command, cwd, env }
  expect((await sh(command, ['--version'], { cwd })).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  const server = await start(null, { ...options, args: ['--demo'] })
  expect(server.stdout()).toContain(`  Data folder     ${join(cwd, 'data')}\n`)
  expect(readdirSync(cwd)).toEqual(['data'])

  await pasteLines(server)
  const { stdout: key } = await sh('cat', [join(cwd, 'data', 'first-key')])
  const demo = /Demo project +(\d+)/.exec(server.stdout())?.[1]
  const call = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const headers = { authorization: `Bearer ${key.trim()}`, 'content-type': 'application/json' }
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    const answer = await fetch(`${server.url}/api/environments/${path}`, init)
    expect(answer.status, `${method} ${path}`).toBeLessThan(300)
    return (answer.status === 202 ? {} : await answer.json()) as Json
  }

  await lookAtDemo(call, demo ?? '')
  await openApp(server)
  await readDocumentation(server)
  await share(call, demo ?? '')
  await report(call, mail)

  expect((await server.stop()).code).toBe(0)
  // The pasted event has come.
  const again = await start(null, options)
  expect(again.stdout()).not.toContain('Project token')
  expect(again.stdout()).toMatch(/A new key +\S+hedgerow keys create --label NAME\n/)
})

type Call = (method: string, path: string, body?: unknown) => Promise<Json>

async function pasteLines(server: Running): Promise<void> {
  const lines = server.stdout().split('Try:\n')[1]?.split('\n\n')[0] ?? ''
  const script = lines.replaceAll('curl ', 'curl -sS -o /dev/null -w "%{http_code}\\n" ')
  const { stdout } = await sh('bash', ['-euc', script])
  expect(stdout.trim().split('\n')).toEqual(['200', '200', '201'])
}

async function lookAtDemo(call: Call, demo: string): Promise<void> {
  const query = {
    kind: 'TrendsQuery',
    dateRange: { date_from: '-14d' },
    series: [{ kind: 'EventsNode', event: '$pageview', math: 'dau' }],
  }
  const { results } = await call('POST', `${demo}/query/`, { query })
  const days = (results[0] as { data: number[] }).data
  // Today may have begun a minute ago.
  expect(Math.min(...days.slice(0, -1))).toBeGreaterThan(0)
  const recordings = await call('GET', `${demo}/session_recordings/`)
  expect(recordings.results.map(({ ongoing }) => ongoing)).toEqual(Array(6).fill(false))
  const subscriptions = await call('GET', `${demo}/subscriptions/`)
  const running = subscriptions.results.filter(({ enabled }) => enabled)
  expect(running.map(({ target_value }) => target_value)).toEqual(['reports@acme.example'])
  const history = async () =>
    (await call('GET', `${demo}/subscriptions/${running[0]?.id}/deliveries/`)).results[0]?.status
  await expect.poll(history).toBe('completed')
}

async function openApp({ url }: Running): Promise<void> {
  const page = await (await fetch(`${url}/`, { headers: { accept: 'text/html' } })).text()
  const files = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => new URL(path ?? '', `${url}/`))
  expect(files.length).toBeGreaterThan(2)
  for (const file of files) expect([file.href, (await fetch(file)).status]).toEqual([file.href, 200])
}

async function readDocumentation({ url }: Running): Promise<void> {
  const { docs } = (await (await fetch(`${url}/`)).json()) as { docs: string }
  const explorer = await (await fetch(docs)).text()
  const scripts = [...explorer.matchAll(/<script src="([^"]+)"/g)].map(([, src]) => new URL(src ?? '', docs))
  expect(scripts.length).toBeGreaterThan(0)
  for (const script of scripts) expect((await fetch(script)).status).toBe(200)
  expect((await fetch(`${url}/favicon.ico`)).headers.get('content-type')).toBe('image/png')
}

async function share(call: Call, demo: string): Promise<void> {
  const [recording] = (await call('GET', `${demo}/session_recordings/`)).results
  const sharing = await call('PATCH', `${demo}/session_recordings/${recording?.id}/sharing/`, { enabled: true })
  const page = await (await fetch(String(sharing.url))).text()
  const source = /data-source="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const loaded = [...page.matchAll(/(?:src|href)="([^":]+\.(?:js|css))"/g)].map(([, path]) => path ?? '')
  expect(loaded.map((path) => basename(path))).toEqual(['shared-page.js'])
  for (const path of [source, ...loaded]) {
    expect((await fetch(new URL(path, String(sharing.url)))).status, path).toBe(200)
  }
}

async function report(call: Call, server: MailServer): Promise<void> {
  const body = {
    target_type: 'email',
    target_value: 'jane@acme.example',
    frequency: 'weekly',
    start_date: '2026-01-05T08:00:00Z',
  }
  const { id } = await call('POST', '1/subscriptions/', body)
  const arrived = () => server.mails.filter(({ to }) => to.includes('jane@acme.example')).length
  await expect.poll(arrived).toBe(1)
  await expect
    .poll(async () => (await call('GET', `1/subscriptions/${id}/deliveries/`)).results[0]?.status)
    .toBe('completed')
  await call('POST', `1/subscriptions/${id}/test-delivery/`)
  await expect.poll(arrived).toBe(2)
  expect(server.mails.find(({ to }) => to.includes('jane@acme.example'))?.raw).toContain('image/png')
}

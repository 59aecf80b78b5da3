/**
 * The Dockerfile, without a container engine: its commands run in empty folders as a user without rights, and what they
 * make is started and asked for its health as the image would be. What an engine adds (layers, the images it begins
 * with) is not tried.
 */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readConfig } from '../../../src/config.ts'
import { readDockerfile } from '../../support/deploy/dockerfile.ts'
import { account, type Image, makeImage } from '../../support/deploy/image.ts'
import { freePort } from '../../support/servers/server-folder.ts'

const sh = promisify(execFile)
const require = createRequire(import.meta.url)
const ROOT = new URL('../../../', import.meta.url).pathname
const TEXT = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
/** Not what it takes: npm writes and the end removes some ten thousand files. */
const PATIENT = { timeout: 300_000, interval: 100 }

let folder: string
let server: ChildProcess | null = null
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hedgerow-image-'))
})
afterEach(async () => {
  if (server !== null && server.exitCode === null && server.signalCode === null) {
    const ended = once(server, 'exit')
    server.kill('SIGKILL')
    await ended
  }
  server = null
  await sh('rm', ['-rf', folder])
}, PATIENT.timeout)

const ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
const allowed = ignored.slice(1).map((line) => line.replace(/^!/, ''))

it('sends to the engine what is copied, and nothing else', () => {
  expect(ignored[0]).toBe('*')
  expect(ignored.slice(1).filter((line) => !/^![\w.-]+$/.test(line))).toEqual([])
  const copies = readDockerfile(TEXT).stages.flatMap(({ instructions }) =>
    instructions.filter(({ name, text }) => name === 'COPY' && !text.startsWith('--from=')),
  )
  const sources = copies.flatMap(({ text }) => text.split(' ').slice(0, -1))
  expect(allowed.toSorted()).toEqual([...new Set(sources)].toSorted())
})

it('begins with a Node that the program runs on, and a slim one in the end', () => {
  const { args, stages } = readDockerfile(TEXT)
  // On 24 from 24.19 on better-sqlite3 aborts the process: see README.md.
  expect(args.get('NODE')).toMatch(/^2[02]-/)
  expect(stages.map(({ image }) => image)).toEqual([
    `node:${args.get('NODE')}`,
    `node:${args.get('NODE')}`,
    `node:${args.get('NODE')}-slim`,
  ])
})

/** npm with what it has fetched before, as another user cannot read it where it is. */
async function npmSettings(): Promise<Record<string, string>> {
  const ask = async (name: string) => (await sh('npm', ['config', 'get', name])).stdout.trim()
  const [cache, registry, authority] = [await ask('cache'), await ask('registry'), await ask('cafile')]
  const own = join(folder, 'npm')
  mkdirSync(join(own, 'prebuilds'), { recursive: true })
  if (existsSync(join(cache, '_cacache'))) cpSync(join(cache, '_cacache'), join(own, '_cacache'), { recursive: true })
  // Where better-sqlite3's install script looks first: compiling takes minutes.
  const manifest = require.resolve('better-sqlite3/package.json')
  const { version } = require(manifest) as { version: string }
  const name = `better-sqlite3-v${version}-node-v${process.versions.modules}-${process.platform}-${process.arch}.tar.gz`
  await sh('tar', ['-czf', join(own, 'prebuilds', name), '-C', dirname(manifest), 'build/Release/better_sqlite3.node'])
  await sh('chown', ['-R', `${account.uid}:${account.gid}`, folder])
  return {
    HOME: own,
    npm_config_cache: own,
    npm_config_registry: registry,
    ...(authority === 'null' ? {} : { npm_config_cafile: authority }),
    npm_config_prefer_offline: 'true',
    npm_config_better_sqlite3_local_prebuilds: join(own, 'prebuilds'),
  }
}

/** All packages: what made them here is the same command. Files are shared, not copied, where the disk is the same. */
function takePackages(into: string): void {
  const from = join(ROOT, 'node_modules')
  const isSameDisk = statSync(from).dev === statSync(dirname(into)).dev
  execFileSync('cp', [isSameDisk ? '-al' : '-a', from, into])
}

/** As an engine runs a command of the image, but on loopback and on a free port. */
function inImage(image: Image, words: string[], port: number): ChildProcess {
  const [program = '', ...args] = words
  const own = Object.fromEntries(Object.entries(image.env).map(([name, value]) => [name, image.ours(value)]))
  const env = {
    PATH: process.env.PATH,
    ...own,
    HEDGEROW_HOST: '127.0.0.1',
    HEDGEROW_PORT: `${port}`,
    HEDGEROW_LOG_LEVEL: 'error',
  }
  return spawn(program, args, {
    cwd: join(image.root, image.workdir),
    env,
    ...account,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

async function healthOf(image: Image, port: number): Promise<number> {
  const [code] = await once(inImage(image, image.health, port), 'close')
  return code as number
}

it('builds a server that starts, says how it is, and has no more than it needs', { timeout: 1_200_000 }, async () => {
  const env = await npmSettings()
  const isIgnored = (path: string) => !allowed.includes(path)
  const instead = new Map([['npm ci --no-audit --no-fund', takePackages]])
  const image = await makeImage(TEXT, { folder: ROOT, isIgnored, into: folder, env, instead })
  expect(image.ran).toHaveLength(4)

  const app = join(image.root, image.workdir)
  const { dependencies, devDependencies } = require(join(ROOT, 'package.json'))
  const has = (name: string) => existsSync(join(app, 'node_modules', name))
  expect(Object.keys(dependencies).filter((name) => !has(name))).toEqual([])
  // npm keeps what a package of ours may want beside it, as posthog-js React, since the web app is made with that.
  const wanted = Object.keys(dependencies).flatMap((name) => {
    const { peerDependencies = {} } = require(join(app, 'node_modules', name, 'package.json'))
    return Object.keys(peerDependencies)
  })
  expect(Object.keys(devDependencies).filter((name) => has(name) && !wanted.includes(name))).toEqual([])
  expect(readdirSync(app).toSorted()).toEqual(['dist', 'node_modules', 'package.json'])
  const maps = execFileSync('find', [join(app, 'dist'), '-name', '*.map'], { encoding: 'utf8' })
  expect(maps).toBe('')

  const config = readConfig(image.env)
  expect([config.host, image.ports, image.volumes]).toEqual(['0.0.0.0', [config.port], [config.dataDir]])
  expect(image.user).toBe('node')
  const data = statSync(join(image.root, config.dataDir))
  expect([data.uid, data.mode & 0o777]).toEqual([account.uid, 0o700])

  const port = await freePort()
  expect(await healthOf(image, port)).toBe(1)
  server = inImage(image, image.command, port)
  const failed = once(server, 'exit').then(([code]) => expect.unreachable(`the server ended with ${code}`))
  failed.catch(() => {})
  await Promise.race([expect.poll(() => healthOf(image, port), PATIENT).toBe(0), failed])
  expect((await fetch(`http://127.0.0.1:${port}/_ready`)).status).toBe(200)
  const ended = once(server, 'exit')
  server.kill('SIGTERM')
  expect((await ended)[0]).toBe(0)
  expect(await healthOf(image, port)).toBe(1)
})

/** scripts/build.mjs, in a small project of its own: what `npm start` and `npm pack` run first. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { useFolder } from '../support/program.ts'

const ROOT = new URL('../../', import.meta.url).pathname
const COPIED = ['scripts', 'tsconfig.json', 'tsconfig.build.json', 'package.json', 'package-lock.json']
const PACKAGES = ['fastify', 'typescript', '@typescript', '@types', 'undici-types', 'esbuild', '@esbuild', 'vite']

const folder = useFolder()
const at = (path: string): string => join(folder(), path)

/** Installs these packages and no others. */
function install(names: string[]): void {
  rmSync(at('node_modules'), { recursive: true, force: true })
  mkdirSync(at('node_modules'))
  for (const name of names.filter((one) => existsSync(join(ROOT, 'node_modules', one)))) {
    symlinkSync(join(ROOT, 'node_modules', name), at(join('node_modules', name)))
  }
}

const write = (word: string): void => writeFileSync(at('src/start.cts'), `console.log(${JSON.stringify(word)})\n`)

/** The web app of the small project. */
function writeApp(word: string): void {
  mkdirSync(at('src/web/app'), { recursive: true })
  writeFileSync(
    at('src/web/app/app.html'),
    '<!doctype html><title>App</title><script type="module" src="./main.ts"></script>',
  )
  writeFileSync(at('src/web/app/main.ts'), `document.title = ${JSON.stringify(word)}\n`)
}

/** The names of the built files of the web app; empty without one. */
const appFiles = (): string[] => (existsSync(at('dist/web/app')) ? readdirSync(at('dist/web/app')).sort() : [])

/** Answers as the server does when the build starts it on trial. */
const SERVE = `import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
export function start(): void {
  const server = createServer((_request, response) => response.end())
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as { port: number }
    writeFileSync(process.env.HEDGEROW_DATA_DIR + '/server.json', JSON.stringify({ url: 'http://127.0.0.1:' + port }))
  })
  process.once('SIGTERM', () => process.exit(0))
}
`

interface Ended {
  code: number | null
  said: string
}

function launch(nodeArgs: string[] = [], ci = ''): { child: ChildProcess; said: () => string; ended: Promise<Ended> } {
  const env = { ...process.env, CI: ci }
  const child = spawn(process.execPath, [...nodeArgs, at('scripts/build.mjs')], { cwd: '/', env })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, said }))
  return { child, said: () => said, ended }
}

const build = (nodeArgs: string[] = [], ci = ''): Promise<Ended> => launch(nodeArgs, ci).ended

/** What the built program prints; throws without one. */
const built = (): string => /log\("(.*)"\)/.exec(readFileSync(at('dist/start.cjs'), 'utf8'))?.[1] ?? ''
const folders = (): string[] => readdirSync(folder()).filter((name) => name.startsWith('dist'))

beforeEach(() => {
  for (const name of COPIED) cpSync(join(ROOT, name), at(name), { recursive: true })
  mkdirSync(at('src/web/player'), { recursive: true })
  cpSync(join(ROOT, 'src/web/tsconfig.json'), at('src/web/tsconfig.json'))
  writeFileSync(at('src/web/player/page.css'), 'p { margin: 0 }\n')
  for (const name of ['shared-page', 'frame'])
    writeFileSync(at(`src/web/player/${name}.ts`), 'export const player = 1\n')
  writeApp('one')
  for (const name of ['lib', 'stores/duckdb', 'stores/sql/sqlite']) mkdirSync(at(`src/${name}`), { recursive: true })
  cpSync(join(ROOT, 'src/lib/bundle.cts'), at('src/lib/bundle.cts'))
  writeFileSync(at('src/serve.ts'), SERVE)
  for (const name of ['duckdb/events-worker', 'sql/sqlite/scan-worker'])
    writeFileSync(at(`src/stores/${name}.ts`), 'export const worker = 1\n')
  install(PACKAGES)
  write('first')
})

describe('a build', () => {
  it('says how far it is, and happens again only when the sources are others', async () => {
    const first = await build()
    expect(first.said).toMatch(
      /^Building the server: 1 of 2, compiling\nBuilding the server: 2 of 2, bundles\nBuilt in \d+\.\d s\nBuilding the web app\nBuilt in \d+\.\d s\n$/,
    )
    expect([first.code, built(), existsSync(at('dist/web/player/shared-page.js'))]).toEqual([0, 'first', true])
    expect(await build()).toEqual({ code: 0, said: '' })
    // Neither older nor newer, but others.
    write('other')
    expect((await build()).code).toBe(0)
    expect(built()).toBe('other')
    expect(folders()).toEqual(['dist'])
  })
  it('keeps what was compiled of the bundles, and does without when they do not start', async () => {
    const kept = () =>
      readdirSync(at('dist'))
        .filter((name) => /^(?:serve|events-worker|scan-worker)\..*(?:cjs|compiled)$/.test(name))
        .sort()
    const node = `${process.version}-${process.arch}`
    await build()
    const names = ['events-worker', 'scan-worker', 'serve']
    expect(kept()).toEqual(names.flatMap((name) => [`${name}.cjs`, `${name}.${node}.compiled`]))
    writeFileSync(at('src/serve.ts'), "export const start = (): void => console.error('no')\nprocess.exitCode = 3\n")
    const second = await build()
    expect(second.code).toBe(0)
    expect(second.said).toMatch(/\nThe built server did not start on trial\. .+\nBuilt in/)
    expect(kept()).toEqual(['events-worker.cjs', 'scan-worker.cjs', 'serve.cjs'])
  })
  it('that fails leaves dist/ as it was', async () => {
    await build()
    writeFileSync(at('src/start.cts'), 'const n: number = "text"\nconsole.log("broken", n)\n')
    const failed = await build()
    expect(failed.code).toBe(1)
    expect(failed.said).toMatch(/error TS2322[\s\S]*\nHedgerow could not be built; dist\/ is as it was\.\n$/)
    expect([built(), folders()]).toEqual(['first', ['dist']])
  })
  it('that is killed leaves dist/ as it was, and the next one clears what it left', async () => {
    await build()
    write('second')
    const { child, said, ended } = launch()
    await expect.poll(said).toContain('1 of 2')
    child.kill('SIGKILL')
    await ended
    expect(built()).toBe('first')
    expect((await build()).code).toBe(0)
    expect([built(), folders()]).toEqual(['second', ['dist']])
  })
  it('that is killed while dist/ changes place is undone by the next run', async () => {
    await build()
    write('second')
    const preload = `const fs = require('node:fs')
      const rename = fs.renameSync
      fs.renameSync = (...args) => { rename(...args); process.kill(process.pid, 'SIGKILL') }
      require('node:module').syncBuiltinESMExports()`
    writeFileSync(at('preload.cjs'), preload)
    await build(['--require', at('preload.cjs')])
    expect(existsSync(at('dist'))).toBe(false)
    install(['fastify'])
    expect((await build()).said).toMatch(/^dist\/ was built from other sources, and the compiler is not installed/)
    expect([built(), folders()]).toEqual(['first', ['dist']])
  })
  it('may happen twice at once', async () => {
    await build()
    write('second')
    const both = await Promise.all([build(), build()])
    expect(both.map(({ code }) => code)).toEqual([0, 0])
    expect([built(), folders()]).toEqual(['second', ['dist']])
  })
})

describe('the web part', () => {
  it('has files whose names change with what is in them, and the licences of what was bundled', async () => {
    await build()
    const [first] = appFiles()
    expect(first).toMatch(/^app-[\w-]+\.js$/)
    expect(existsSync(at('dist/web/licenses.txt'))).toBe(true)
    writeApp('two')
    await build()
    expect(appFiles()[0]).toMatch(/^app-[\w-]+\.js$/)
    expect(appFiles()[0]).not.toBe(first)
  })
  it('is built alone when only its sources are others, and stays when only those of the server are', async () => {
    await build()
    writeApp('two')
    expect((await build()).said).toMatch(/^Building the web app\nBuilt in \d+\.\d s\n$/)
    const files = appFiles()
    write('second')
    expect((await build()).said).toMatch(/^Building the server: 1 [\s\S]*bundles\nBuilt in \d+\.\d s\n$/)
    expect([built(), appFiles(), existsSync(at('dist/web/player/shared-page.js'))]).toEqual(['second', files, true])
    expect(await build()).toEqual({ code: 0, said: '' })
  })
  it('that cannot be built is told and does not stop the server; with CI=true it is a failure', async () => {
    writeFileSync(at('src/web/app/main.ts'), 'document.title = \n')
    const broken = await build()
    expect(broken.code).toBe(0)
    expect(broken.said).toMatch(/\nThe web app could not be built \([\s\S]+\)\. The server starts without it\.\n$/)
    expect([built(), appFiles(), existsSync(at('dist/web/player/shared-page.js'))]).toEqual(['first', [], true])
    expect((await build([], 'true')).code).toBe(1)
    writeApp('two')
    expect((await build()).said).toMatch(/^Building the web app\nBuilt in/)
    expect([appFiles().length > 0, folders()]).toEqual([true, ['dist']])
  })
  it('is done without where Vite is missing', async () => {
    install(PACKAGES.filter((name) => name !== 'vite'))
    const { code, said } = await build()
    expect(code).toBe(0)
    expect(said).toMatch(/The web app could not be built \(Cannot find package 'vite'/)
  })
})

describe('without the compiler', () => {
  it('a dist/ that is there is started, with a word when it is not of these sources', async () => {
    await build()
    install(['fastify'])
    expect(await build()).toEqual({ code: 0, said: '' })
    write('second')
    const stale = await build()
    expect(stale.code).toBe(0)
    expect(stale.said).toMatch(/built from other sources[\s\S]*"npm ci" without --omit=dev/)
    expect(built()).toBe('first')
  })
  it('a missing dist/ ends with what to do', async () => {
    install(['fastify'])
    const refused = await build()
    expect([refused.code, refused.said.trim().split('\n').length]).toEqual([1, 1])
    expect(refused.said).toMatch(/^Hedgerow is not built, and the compiler is not installed\. Run "npm ci" without/)
  })
  it('and without any package it says to install them', async () => {
    install([])
    expect(await build()).toEqual({
      code: 1,
      said: 'The packages of Hedgerow are not installed. Run "npm ci" first.\n',
    })
  })
})

/** TypeScript 7.0 gives a property that has the name of the class around it the name that it made up for the class. */
it('the built program has no property that the compiler has renamed', () => {
  const dist = join(ROOT, 'dist')
  const modules = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.js'))
  const renamed = modules.filter((path) => /[{,]\s*_[a-z]:/.test(readFileSync(join(dist, path), 'utf8')))
  expect(modules.length).toBeGreaterThan(500)
  expect(renamed).toEqual([])
})

/**
 * Builds dist/ (`npm start`, `npm pack` and the tests run it first), in two parts: the server, and dist/web/, which
 * browsers load. Each is built only if it was made from other sources; `--force` builds both always. A build is made in a
 * folder of its own and takes the place of the one before by rename when it is complete: one that fails or is killed
 * leaves dist/ as it was, and of two builds at once the later one finds that there is nothing left to do. Without the
 * compiler (`npm ci --omit=dev`) it leaves the dist/ that is there. A web app that cannot be built does not keep the
 * server from starting; with CI=true it is a failure.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))))

const DIST = 'dist'
const WEB = join(DIST, 'web')
/** In the folder of a part: a hash of the sources it was made from. Written last. */
const STAMP = '.built'
const WEB_FOLDER = join('src', 'web')
const SETTINGS = ['tsconfig.json', 'package-lock.json']
const SERVER_SOURCES = ['src', 'scripts/bundle.mjs', 'scripts/keep-compiled.cjs', 'tsconfig.build.json', ...SETTINGS]
/** With what the app may import of the server's folders. */
const SHARED = ['src/insight-display', 'src/lib', 'src/model']
const WEB_SOURCES = [WEB_FOLDER, ...SHARED, 'scripts/web-build.mjs', 'scripts/web-config.mjs', ...SETTINGS]
/** Beside dist/, at the same depth: source maps name the sources by relative paths. */
const NEW = `${DIST}.new-${process.pid}`
const OLD = `${DIST}.old-${process.pid}`
const NEW_WEB = `${DIST}.web-new-${process.pid}`
const OLD_WEB = `${DIST}.web-old-${process.pid}`
const ATTEMPTS = 20

const say = (text) => process.stderr.write(`${text}\n`)

function filesIn(path) {
  if (!existsSync(path)) return []
  const entries = readdirSync(path, { withFileTypes: true })
  return entries.flatMap((entry) => (entry.isDirectory() ? filesIn(join(path, entry.name)) : [join(path, entry.name)]))
}

const isWeb = (path) => path.startsWith(join(WEB_FOLDER, '/'))
const isTest = (path) => /\.test\.tsx?$/.test(path)

/** Sources that are not there count for nothing. */
function sourcesIn(paths) {
  const found = paths.map((path) => (existsSync(path) && statSync(path).isDirectory() ? filesIn(path) : [path]))
  return found.flat().filter(existsSync).sort()
}

const serverSources = () => sourcesIn(SERVER_SOURCES).filter((path) => !isWeb(path))
const webSources = () => sourcesIn(WEB_SOURCES).filter((path) => !isTest(path))

function hashFiles(paths) {
  const hash = createHash('sha256')
  for (const path of paths) {
    hash.update(`${path}\0`).update(createHash('sha256').update(readFileSync(path)).digest())
  }
  return hash.digest('hex')
}

const isInstalled = (name) => {
  try {
    createRequire(join(process.cwd(), 'package.json')).resolve(name)
    return true
  } catch {
    return false
  }
}

const isRunning = (pid) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** What the last complete build was made from; null without one. */
const stampOf = (folder) => {
  const path = join(folder, STAMP)
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}

/** Of builds that were killed: puts dist/ back if it had been moved away, and removes the rest. */
function cleanUp() {
  const left = readdirSync('.').filter((name) => {
    const pid = /^dist\.(?:web-)?(?:new|old)-(\d+)$/.exec(name)?.[1]
    return pid !== undefined && (Number(pid) === process.pid || !isRunning(Number(pid)))
  })
  const moved = left.find((name) => name.startsWith(`${DIST}.old-`) && stampOf(name) !== null)
  if (moved !== undefined && !existsSync(DIST)) renameSync(moved, DIST)
  for (const name of left) rmSync(name, { recursive: true, force: true })
}

function compile(project, outDir) {
  const tsc = join('node_modules', 'typescript', 'bin', 'tsc')
  execFileSync(process.execPath, [tsc, '-p', project, '--outDir', outDir], { stdio: ['ignore', 2, 2] })
}

/** What `npm start` runs becomes two files; see src/lib/bundle.cts. */
async function bundleIn(folder) {
  // Its packages are not installed where nothing is built.
  const { bundle, keepCompiled } = await import('./bundle.mjs')
  await bundle(folder)
  if (!keepCompiled(folder))
    say('The built server did not start on trial. It is complete, but will take longer to start.')
}

async function makeServer(hash) {
  say('Building the server: 1 of 2, compiling')
  compile('tsconfig.build.json', NEW)
  say('Building the server: 2 of 2, bundles')
  await bundleIn(NEW)
  writeFileSync(join(NEW, STAMP), hash)
}

const MET = ['ENOENT', 'ENOTEMPTY', 'EEXIST']

/**
 * Two renames, and a kill between them leaves nothing in the place: the next run puts it back, or builds it again.
 * Another process may do the same at the same moment; if its build is the same, it stays.
 */
function takePlace(isDone, exchange) {
  for (let attempt = 1; !isDone(); attempt++) {
    try {
      return exchange()
    } catch (error) {
      if (!MET.includes(error.code) || attempt === ATTEMPTS) throw error
    }
  }
}

function exchange(place, fresh, old) {
  if (existsSync(place)) renameSync(place, old)
  renameSync(fresh, place)
}

/** The web part stays what it was. */
function exchangeServer() {
  rmSync(join(NEW, 'web'), { recursive: true, force: true })
  if (existsSync(WEB)) cpSync(WEB, join(NEW, 'web'), { recursive: true })
  exchange(DIST, NEW, OLD)
}

/** The compiler has said what is wrong. */
const reasonOf = (error) => (error.status === undefined ? ` (${error.message})` : '')

const secondsSince = (started) => ((performance.now() - started) / 1_000).toFixed(1)

/** Builds, and ends the process with a message when that fails. */
async function rebuildServer(hash, isDone) {
  const started = performance.now()
  try {
    await makeServer(hash)
    takePlace(isDone, exchangeServer)
    say(`Built in ${secondsSince(started)} s`)
    return true
  } catch (error) {
    const rest = existsSync(DIST) ? '; dist/ is as it was' : ''
    say(`Hedgerow could not be built${reasonOf(error)}${rest}.`)
    process.exitCode = 1
    return false
  } finally {
    for (const folder of [NEW, OLD]) rmSync(folder, { recursive: true, force: true })
  }
}

/** Without the app the player page takes its place alone, and each run tries again. */
async function makeWeb(hash) {
  const { buildApp, buildPlayer } = await import('./web-build.mjs')
  await buildPlayer(NEW_WEB)
  try {
    await buildApp(NEW_WEB)
    writeFileSync(join(NEW_WEB, STAMP), hash)
    return null
  } catch (error) {
    rmSync(join(NEW_WEB, 'app'), { recursive: true, force: true })
    return error
  }
}

async function rebuildWeb(hash, isDone) {
  const started = performance.now()
  say('Building the web app')
  try {
    const failure = await makeWeb(hash)
    takePlace(isDone, () => exchange(WEB, NEW_WEB, OLD_WEB))
    if (failure !== null) throw failure
    say(`Built in ${secondsSince(started)} s`)
  } catch (error) {
    say(`The web app could not be built${reasonOf(error)}. The server starts without it.`)
    if (process.env.CI === 'true') process.exitCode = 1
  } finally {
    for (const folder of [NEW_WEB, OLD_WEB]) rmSync(folder, { recursive: true, force: true })
  }
}

function refuse(sentence) {
  say(sentence)
  process.exitCode = 1
}

/** True when there is a server to start. */
async function bringServer(force, hasCompiler) {
  const present = stampOf(DIST)
  const hash = hashFiles(serverSources())
  if (present === hash && !force) return true
  if (hasCompiler) return rebuildServer(hash, () => !force && stampOf(DIST) === hash)
  if (present === null || force) {
    refuse(
      'Hedgerow is not built, and the compiler is not installed. Run "npm ci" without --omit=dev and then "npm run build"; dist/ can also be copied from where it was built.',
    )
    return false
  }
  say('dist/ was built from other sources, and the compiler is not installed: it is started as it is.')
  say('"npm ci" without --omit=dev and then "npm run build" bring it up to date.')
  return true
}

/** Where nothing can be built, the server says what is missing. */
async function bringWeb(force, hasCompiler) {
  const hash = hashFiles(webSources())
  if (!hasCompiler || (stampOf(WEB) === hash && !force)) return
  await rebuildWeb(hash, () => !force && stampOf(WEB) === hash)
}

async function main(force) {
  cleanUp()
  if (!isInstalled('fastify')) return refuse('The packages of Hedgerow are not installed. Run "npm ci" first.')
  // A package made by "npm pack" has no sources.
  if (stampOf(DIST) !== null && !existsSync('src')) return
  const hasCompiler = isInstalled('typescript/package.json')
  if (await bringServer(force, hasCompiler)) await bringWeb(force, hasCompiler)
}

await main(process.argv.includes('--force'))

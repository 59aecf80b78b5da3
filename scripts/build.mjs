/**
 * Builds dist/ (`npm start`, `npm pack` and the tests run it first). Builds only if dist/ was made from other sources;
 * `--force` builds always. The build is made in a folder of its own and takes the place of dist/ by rename when it is
 * complete: a build that fails or is killed leaves dist/ as it was, and of two builds at once the later one finds that
 * there is nothing left to do. Without the compiler (`npm ci --omit=dev`) it leaves the dist/ that is there.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))))

const DIST = 'dist'
/** In dist/: a hash of the sources it was made from. Written last. */
const STAMP = '.built'
const SCRIPTS = ['scripts/bundle.mjs', 'scripts/keep-compiled.cjs']
const SOURCES = ['src', ...SCRIPTS, 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json']
/** Beside dist/, at the same depth: source maps name the sources by relative paths. */
const NEW = `${DIST}.new-${process.pid}`
const OLD = `${DIST}.old-${process.pid}`
const ATTEMPTS = 20

const say = (text) => process.stderr.write(`${text}\n`)

function filesIn(path) {
  if (!existsSync(path)) return []
  const entries = readdirSync(path, { withFileTypes: true })
  return entries.flatMap((entry) => (entry.isDirectory() ? filesIn(join(path, entry.name)) : [join(path, entry.name)]))
}

function hashSources() {
  const hash = createHash('sha256')
  for (const path of SOURCES.flatMap((source) => (source === 'src' ? filesIn(source) : [source])).sort()) {
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
    const pid = /^dist\.(?:new|old)-(\d+)$/.exec(name)?.[1]
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

async function build(hash) {
  say('Building: 1 of 3, the server')
  compile('tsconfig.build.json', NEW)
  say('Building: 2 of 3, the player page')
  compile('src/web/player/tsconfig.build.json', join(NEW, 'web', 'player'))
  copyFileSync('src/web/player/page.css', join(NEW, 'web', 'player', 'page.css'))
  say('Building: 3 of 3, bundles')
  await bundleIn(NEW)
  writeFileSync(join(NEW, STAMP), hash)
}

/**
 * Two renames, and a kill between them leaves no dist/: the next run puts it back. Another process may do the same at
 * the same moment; if its build is the same, it stays.
 */
function takePlace(isDone) {
  for (let attempt = 1; !isDone(); attempt++) {
    try {
      if (existsSync(DIST)) renameSync(DIST, OLD)
      renameSync(NEW, DIST)
      return
    } catch (error) {
      if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(error.code) || attempt === ATTEMPTS) throw error
    }
  }
}

/** Builds, and ends the process with a message when that fails. */
async function rebuild(hash, isDone) {
  const started = performance.now()
  try {
    await build(hash)
    takePlace(isDone)
    say(`Built in ${((performance.now() - started) / 1_000).toFixed(1)} s`)
  } catch (error) {
    // The compiler has said what is wrong.
    const reason = error.status === undefined ? ` (${error.message})` : ''
    const rest = existsSync(DIST) ? '; dist/ is as it was' : ''
    say(`Hedgerow could not be built${reason}${rest}.`)
    process.exitCode = 1
  } finally {
    for (const folder of [NEW, OLD]) rmSync(folder, { recursive: true, force: true })
  }
}

function refuse(sentence) {
  say(sentence)
  process.exitCode = 1
}

async function main(force) {
  cleanUp()
  const present = stampOf(DIST)
  if (!isInstalled('fastify')) return refuse('The packages of Hedgerow are not installed. Run "npm ci" first.')
  // A package made by "npm pack" has no sources.
  if (present !== null && !existsSync('src')) return
  const hash = hashSources()
  if (present === hash && !force) return
  if (isInstalled('typescript/package.json')) return rebuild(hash, () => !force && stampOf(DIST) === hash)
  if (present === null || force) {
    return refuse(
      'Hedgerow is not built, and the compiler is not installed. Run "npm ci" without --omit=dev and then "npm run build"; dist/ can also be copied from where it was built.',
    )
  }
  say('dist/ was built from other sources, and the compiler is not installed: it is started as it is.')
  say('"npm ci" without --omit=dev and then "npm run build" bring it up to date.')
}

await main(process.argv.includes('--force'))

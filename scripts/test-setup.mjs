/**
 * Installs what the tests need and npm does not have: Debian's Chromium and libfaketime, with apt, if this runs as root
 * on Debian. Without them the tests that need them say so and are skipped; with CI=true that is a failure.
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const NEEDED = [
  {
    name: 'chromium',
    path: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    without: 'browser tests will be skipped (set CHROMIUM_PATH to use another one)',
  },
  { name: 'faketime', path: '/usr/bin/faketime', without: 'the tests with a wrong clock will be skipped' },
]

function apt(...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  execFileSync('apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=300', ...args], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

function install(missing) {
  if (missing.length === 0) return
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) {
    for (const { name, without } of missing) console.log(`${name} is not installed; ${without}.`)
    return
  }
  const names = missing.map(({ name }) => name)
  console.log(`Installing ${names.join(', ')} for the tests…`)
  apt('update')
  apt('install', '-y', '--no-install-recommends', ...names)
}

try {
  install(NEEDED.filter(({ path }) => !existsSync(path)))
} catch (error) {
  console.error(`What the tests need could not be installed: ${error.message}`)
  if (process.env.CI === 'true') process.exit(1)
}

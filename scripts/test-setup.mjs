/**
 * Brings what the tests need and npm cannot: Debian's Chromium, with apt, when this runs as root on Debian.
 * Where it cannot be had the browser tests say so and are skipped; with CI=true that is a failure.
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const CHROMIUM = '/usr/bin/chromium'

function apt(...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  execFileSync('apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=300', ...args], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

function installChromium() {
  if (existsSync(CHROMIUM) || process.env.CHROMIUM_PATH) return
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) {
    console.log('Chromium is not installed; browser tests will be skipped (set CHROMIUM_PATH to use another one).')
    return
  }
  console.log('Installing Chromium for the browser tests…')
  apt('update')
  apt('install', '-y', '--no-install-recommends', 'chromium')
}

try {
  installChromium()
} catch (error) {
  console.error(`Chromium could not be installed: ${error.message}`)
  if (process.env.CI === 'true') process.exit(1)
}

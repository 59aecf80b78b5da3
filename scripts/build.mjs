/** Builds dist/ with tsc when a source is newer than the last build; `--force` builds anyway. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const STAMP = 'dist/.built'

function newest(path) {
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))))
}

const sources = ['src', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json']
const fresh = existsSync(STAMP) && statSync(STAMP).mtimeMs >= Math.max(...sources.map(newest))
if (!fresh || process.argv.includes('--force')) {
  rmSync('dist', { recursive: true, force: true })
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], { stdio: 'inherit' })
  writeFileSync(STAMP, '')
}

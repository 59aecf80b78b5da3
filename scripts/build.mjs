/** Builds dist/ with tsc (the player page's scripts into dist/web) if a source is newer than the last build; `--force` builds always. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
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
  for (const project of ['tsconfig.build.json', 'src/web/tsconfig.build.json']) {
    execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', project], { stdio: 'inherit' })
  }
  copyFileSync('src/web/page.css', 'dist/web/page.css')
  writeFileSync(STAMP, '')
}

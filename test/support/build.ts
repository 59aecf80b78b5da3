/** Before the first test: the built program is that of the sources. Some tests start it, all use its threads. */
import { execFileSync } from 'node:child_process'

export function setup(): void {
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' })
}

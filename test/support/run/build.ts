/** Before the tests: the built program is that of the sources. Some tests start it, all use its threads. */
import { execFileSync } from 'node:child_process'
import type { TestProject } from 'vitest/node'

function build(): void {
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' })
}

export function setup(project: TestProject): void {
  build()
  project.onTestsRerun(async () => build())
}

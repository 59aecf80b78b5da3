/** Prometheus' own check of metrics; scripts/test-setup.mjs gets it. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { PROMTOOL } from '../../scripts/promtool-path.mjs'

/** Why there is none here, or null. With CI=true a missing one is not accepted: the test then fails. */
export const noPromtool: string | null =
  existsSync(PROMTOOL) || process.env.CI === 'true' ? null : `no promtool at ${PROMTOOL} (run scripts/test-setup.mjs)`

/** What it finds wrong with the text; empty when it is clean. */
export function checkMetrics(text: string): string {
  const { status, stdout, stderr, error } = spawnSync(PROMTOOL, ['check', 'metrics'], {
    input: text,
    encoding: 'utf8',
  })
  if (error) throw error
  return status === 0 ? `${stdout}${stderr}` : `exit ${status}: ${stdout}${stderr}`
}

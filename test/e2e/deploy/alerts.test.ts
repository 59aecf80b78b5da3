/**
 * deploy/alerts.yml by promtool, which runs the rules on made-up series: each alert is there when it should be, and none
 * on a quiet server. The metrics they name are those that a server has.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseYaml } from '@redocly/openapi-core'
import { expect, it, onTestFinished } from 'vitest'
import { PROMTOOL } from '../../../scripts/promtool-path.mjs'
import { makeApp, PROJECT_TOKEN } from '../../support/app.ts'
import { useFolder } from '../../support/program.ts'
import { noPromtool } from '../../support/promtool.ts'

const RULES = new URL('../../../deploy/alerts.yml', import.meta.url).pathname
const folder = useFolder()
interface Rule {
  alert: string
  expr: string
}
const rules = (parseYaml(readFileSync(RULES, 'utf8')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
)

it('names only metrics that a server has, with labels that they have', async () => {
  const app = await makeApp()
  onTestFinished(() => app.end())
  await app.call('POST', '/batch/', {
    key: null,
    body: { api_key: PROJECT_TOKEN, batch: [{ event: 'x', distinct_id: 'u' }] },
  })
  await app.call('GET', '/nowhere/')
  await app.runner.runDue()
  const text = (await app.call('GET', '/metrics', { key: null })).body
  const series = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  for (const { alert, expr } of rules) {
    const names = expr.match(/\b(?:hedgerow|nodejs)_\w+/g) ?? []
    expect(alert === 'HedgerowDown' || names.length > 0, alert).toBe(true)
    for (const name of names) {
      const own = series.filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
      expect(own.length, `${alert}: ${name}`).toBeGreaterThan(0)
      const labels = [...expr.matchAll(new RegExp(`${name}\\{(\\w+)=`, 'g'))].map(([, label]) => `${label}="`)
      for (const label of labels) expect(own[0], alert).toContain(label)
    }
  }
  const tick = /name="([\w-]+)"/.exec(rules.find(({ alert }) => alert === 'HedgerowNothingRecurs')?.expr ?? '')?.[1]
  expect(text).toContain(`hedgerow_last_tick_timestamp_seconds{name="${tick}"}`)
})

const J = 'job="hedgerow",instance="a:8000"'

/** Series are written for this many minutes; most alerts need no more than the first hours. */
const [SOME, DAYS] = [450, 4_380]

/** What a server says minute by minute when all is well. */
const QUIET: Record<string, string> = {
  [`up{${J}}`]: '1x',
  [`hedgerow_store_duration_seconds_count{${J},store="events",outcome="ok"}`]: '0+600x',
  [`hedgerow_store_duration_seconds_count{${J},store="events",outcome="error"}`]: '0x',
  [`hedgerow_outbox_age_seconds{${J}}`]: '1x',
  [`hedgerow_outbox_rows{${J}}`]: '10x',
  [`hedgerow_outbox_parked{${J}}`]: '0x',
  [`hedgerow_requests_refused_total{${J},reason="outbox"}`]: '0x',
  [`hedgerow_requests_refused_total{${J},reason="not_found"}`]: '0+5x',
  [`hedgerow_http_request_duration_seconds_count{${J},route="/batch/",status="200"}`]: '0+600x',
  [`hedgerow_http_request_duration_seconds_count{${J},route="/batch/",status="503"}`]: '0x',
  [`hedgerow_http_request_duration_seconds_count{${J},route="/batch/",status="500"}`]: '0x',
  [`hedgerow_disk_free_bytes{${J}}`]: '5e10x',
  [`hedgerow_jobs_parked{${J}}`]: '0x',
  [`hedgerow_jobs_age_seconds{${J}}`]: '5x',
  [`hedgerow_last_tick_timestamp_seconds{${J},name="deliver-due-subscriptions"}`]: '0+60x',
  [`hedgerow_deletions_overdue{${J}}`]: '0x',
  [`hedgerow_deliveries_total{${J},kind="email",outcome="failed"}`]: '0x',
  [`hedgerow_clock_held{${J}}`]: '0x',
  [`hedgerow_sweep_missing_blocks_total{${J}}`]: '0x',
  [`hedgerow_sweep_orphans_total{${J}}`]: '0x',
  [`nodejs_eventloop_lag_p99_seconds{${J}}`]: '0.02x',
}

/** For each alert: the series that are other than on a quiet server. */
const WRONG: Record<string, Record<string, string>> = {
  HedgerowDown: { [`up{${J}}`]: '0x' },
  HedgerowStoreFails: {
    [`hedgerow_store_duration_seconds_count{${J},store="events",outcome="error"}`]: '0+60x',
  },
  HedgerowOutboxWaits: { [`hedgerow_outbox_age_seconds{${J}}`]: '0+60x' },
  HedgerowOutboxFull: { [`hedgerow_outbox_rows{${J}}`]: '4500x' },
  HedgerowRefusesForLackOfRoom: { [`hedgerow_requests_refused_total{${J},reason="outbox"}`]: '0+1x' },
  HedgerowUnavailable: {
    [`hedgerow_http_request_duration_seconds_count{${J},route="/batch/",status="503"}`]: '0+30x',
  },
  HedgerowFails: {
    [`hedgerow_http_request_duration_seconds_count{${J},route="/batch/",status="500"}`]: '0+1x',
  },
  HedgerowDiskLow: { [`hedgerow_disk_free_bytes{${J}}`]: '2e9x' },
  HedgerowDiskFullSoon: { [`hedgerow_disk_free_bytes{${J}}`]: '2e10-1e7x' },
  HedgerowBatchesParked: { [`hedgerow_outbox_parked{${J}}`]: '1x' },
  HedgerowJobsParked: { [`hedgerow_jobs_parked{${J}}`]: '1x' },
  HedgerowJobsLate: { [`hedgerow_jobs_age_seconds{${J}}`]: '0+60x' },
  HedgerowNothingRecurs: {
    [`hedgerow_last_tick_timestamp_seconds{${J},name="deliver-due-subscriptions"}`]: '60x',
  },
  HedgerowDeletionsOverdue: { [`hedgerow_deletions_overdue{${J}}`]: '2x' },
  HedgerowDeliveriesFail: { [`hedgerow_deliveries_total{${J},kind="email",outcome="failed"}`]: '0+1x' },
  HedgerowClockHeld: { [`hedgerow_clock_held{${J}}`]: '1x' },
  HedgerowBytesMissing: { [`hedgerow_sweep_missing_blocks_total{${J}}`]: '0+1x' },
  HedgerowOrphansEachNight: { [`hedgerow_sweep_orphans_total{${J}}`]: '0+1x' },
  HedgerowBusy: { [`nodejs_eventloop_lag_p99_seconds{${J}}`]: '0.9x' },
}

/** Of alerts that promtool would have to find with these series: the names that it finds. */
function firing(series: Record<string, string>, minutes: number): string[] {
  const input = Object.entries(series).map(([name, values]) => ({ series: name, values: `${values}${minutes}` }))
  // It prints what it got where that is not what was expected: nothing ever is.
  const asked = rules.map(({ alert }) => ({
    eval_time: `${minutes}m`,
    alertname: alert,
    exp_alerts: [{ exp_labels: { severity: 'none' } }],
  }))
  const file = join(folder(), 'tests.json')
  const tests = [{ interval: '1m', input_series: input, alert_rule_test: asked }]
  writeFileSync(file, JSON.stringify({ rule_files: [RULES], evaluation_interval: '30m', tests }))
  const { stdout, stderr, error } = spawnSync(PROMTOOL, ['test', 'rules', file], { encoding: 'utf8' })
  if (error) throw error
  const told = /alertname: (\w+), time: [^\n]+\n\s+exp:\[[^\]]*\],\s+got:\[(\]?)/g
  const found = [...(stdout + stderr).matchAll(told)]
  if (found.length !== rules.length) throw new Error(`promtool says:\n${stdout}${stderr}`)
  return found.filter(([, , end]) => end !== ']').map(([, name]) => name ?? '')
}

it.skipIf(noPromtool)(`is silent on a quiet server${noPromtool ? ` (${noPromtool})` : ''}`, () => {
  expect(spawnSync(PROMTOOL, ['check', 'rules', RULES], { encoding: 'utf8' }).status).toBe(0)
  expect(firing(QUIET, SOME)).toEqual([])
})

it('has a case for each alert', () => {
  expect(Object.keys(WRONG)).toEqual(rules.map(({ alert }) => alert))
})

it.skipIf(noPromtool).each(Object.keys(WRONG))('%s is raised, alone', (alert) => {
  const isOfDays = alert === 'HedgerowOrphansEachNight'
  const series = isOfDays ? WRONG[alert] : { ...QUIET, ...WRONG[alert] }
  expect(firing(series ?? {}, isOfDays ? DAYS : SOME)).toEqual([alert])
})

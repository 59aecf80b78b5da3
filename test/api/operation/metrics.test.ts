/** What /metrics tells an operator, each number against what was done, and Prometheus' own check of the text. */
import { statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { LightMyRequestResponse } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { version } from '../../../src/lib/version.ts'
import { makeApp, PROJECT_TOKEN, type TestApp } from '../../support/app.ts'
import { subscribe } from '../../support/deliveries/subscription.ts'
import { checkMetrics, noPromtool } from '../../support/promtool.ts'
import { FIXTURE_NOW, FIXTURE_TOKEN, requestsOf, send } from '../../support/replay/replay.ts'
import { startReceiver } from '../../support/servers/receiver.ts'
import { startMailServer } from '../../support/servers/smtp.ts'
import { atScale, onPostgres } from '../../support/stores/stores.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

let app: TestApp
beforeEach(async () => {
  app = await makeApp()
})
afterEach(() => app.end())

const scrape = async () => (await app.call('GET', '/metrics', { key: null })).body
/** By its name with labels, as the text has it. */
const value = async (series: string) => {
  const line = (await scrape()).split('\n').find((one) => one.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}
const refused = (reason: string) => value(`hedgerow_requests_refused_total{reason="${reason}"}`)
const capture = (batch: unknown[] = [{ event: 'x', distinct_id: 'u' }], token = PROJECT_TOKEN) =>
  app.call('POST', '/batch/', { key: null, body: { api_key: token, batch } })
const restart = async (env: Record<string, string>) => {
  await app.end()
  app = await makeApp({ env })
}

/** A real recording, at its time. */
const record = async () => {
  await app.stores.transaction((tx) => tx.projects.update(1, { apiToken: FIXTURE_TOKEN }))
  app.clock.set(FIXTURE_NOW)
  const answers: LightMyRequestResponse[] = []
  for (const request of requestsOf('recording-posthog-js.jsonl')) answers.push(await send(app, request))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200))
  return answers
}

it('names the version, the free disk and the size of each store', async () => {
  expect(await value(`hedgerow_build_info{version="${version()}"}`)).toBe(1)
  const { bavail, bsize } = await statfs(app.dataDir)
  const free = (await value('hedgerow_disk_free_bytes')) ?? 0
  expect(free / (bavail * bsize)).toBeGreaterThan(0.9)
  expect(free / (bavail * bsize)).toBeLessThan(1.1)
  const sqlBytes = onPostgres ? await app.stores.bytesElsewhere() : statSync(join(app.dataDir, 'hedgerow.db')).size
  expect(sqlBytes).toBeGreaterThan(0)
  expect(await value('hedgerow_store_bytes{store="sql"}')).toBeGreaterThanOrEqual(sqlBytes)
  const eventBytes = atScale
    ? await app.stores.events.bytesElsewhere()
    : statSync(join(app.dataDir, 'events.duckdb')).size
  expect(eventBytes).toBeGreaterThan(0)
  expect(await value('hedgerow_store_bytes{store="events"}')).toBeGreaterThanOrEqual(eventBytes)
  expect(await value('hedgerow_store_bytes{store="blobs"}')).toBe(0)
  await record()
  expect(await value('hedgerow_store_bytes{store="blobs"}')).toBe(await app.stores.recordings.storedBytes(1))
  expect(await app.stores.recordings.storedBytes(1)).toBeGreaterThan(1_000)
})

describe('requests refused', () => {
  it('are counted by reason, once each, those of capture too', async () => {
    await capture()
    await app.call('GET', '/api/environments/1/persons/', { key: null })
    await app.call('GET', '/api/environments/1/persons/', { key: 'phx_nobody_has_this_key_01' })
    for (let i = 0; i < 3; i++) await app.call('GET', '/api/environments/1/persons/999/')
    await app.call('GET', '/nowhere/')
    await app.call('POST', '/api/environments/1/persons/')
    await capture([], 'phc_nobody_has_this_token_0')
    await app.call('POST', '/i/v1/analytics/events', { key: null, body: { batch: [] } })
    const text = await scrape()
    const counts = [...text.matchAll(/^hedgerow_requests_refused_total\{reason="(\w+)"\} (\d+)$/gm)].map(
      ([, reason, count]) => [reason, Number(count)],
    )
    expect(Object.fromEntries(counts)).toMatchObject({ not_found: 4, method_not_allowed: 1 })
    expect(counts.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(9)
  })
  it('tell a full disk, a full outbox and a request that is too large apart', async () => {
    await restart({ HEDGEROW_MIN_FREE_FOR_EVENTS: '900TB' })
    expect((await capture()).statusCode).toBe(503)
    expect(await refused('disk_space')).toBe(1)
    await restart({ HEDGEROW_OUTBOX_ROWS: '0' })
    expect((await capture()).statusCode).toBe(503)
    expect([await refused('outbox'), await refused('disk_space')]).toEqual([1, undefined])
    await restart({ HEDGEROW_CAPTURE_BYTES_IN_FLIGHT: '10' })
    expect((await capture()).statusCode).toBe(413)
    expect(await refused('request_too_large')).toBe(1)
    await restart({ HEDGEROW_MIN_FREE_FOR_RECORDINGS: '900TB' })
    const answers = await record()
    expect(answers[0]?.json()).toMatchObject({ quota_limited: ['recordings'] })
    expect(await refused('disk_space_recordings')).toBe(answers.length)
  })
})

it('counts deliveries by kind and outcome', async () => {
  const smtp = await startMailServer()
  const hook = await startReceiver()
  await restart({
    HEDGEROW_SMTP_URL: smtp.url,
    HEDGEROW_MAIL_FROM: 'a@example.com',
    HEDGEROW_WEBHOOK_ALLOW: hook.host,
  })
  const outcomes = async (kind: string) =>
    Promise.all(
      ['sent', 'failed', 'retried'].map((outcome) =>
        value(`hedgerow_deliveries_total{kind="${kind}",outcome="${outcome}"}`),
      ),
    )
  expect(await outcomes('email')).toEqual([0, 0, 0])
  smtp.behave((moment, address) => {
    if (moment === 'data' || address === 'ann@example.com') return null
    return address === 'bob@example.com' ? { code: 550, text: 'no such user' } : { code: 451, text: 'later' }
  })
  const addresses = 'ann@example.com,bob@example.com,cy@example.com'
  await subscribe(app, { target_value: addresses })
  await app.runner.runDue()
  expect(await outcomes('email')).toEqual([1, 1, 1])
  for (let i = 0; i < 6; i++) {
    app.clock.advance(60 * MINUTE)
    await app.runner.runDue()
  }
  expect(await outcomes('email')).toEqual([1, 2, 4])
  await subscribe(app, { target_type: 'webhook', target_value: `${hook.url}/hook` })
  await app.runner.runDue()
  expect([await outcomes('webhook'), await outcomes('slack')]).toEqual([
    [1, 0, 0],
    [0, 0, 0],
  ])
  await smtp.stop()
  await hook.stop()
})

it('has the last tick of each recurring thing', async () => {
  const tick = (name: string) => value(`hedgerow_last_tick_timestamp_seconds{name="${name}"}`)
  expect(await tick('deliver-due-subscriptions')).toBeUndefined()
  await app.runner.runDue()
  const noon = app.clock.now() / 1_000
  expect(await tick('deliver-due-subscriptions')).toBe(noon)
  app.clock.advance(10 * MINUTE)
  await app.runner.runDue()
  expect(await tick('deliver-due-subscriptions')).toBe(noon + 600)
  expect(await tick('catch-up-deletions')).toBe(noon + 60)
  const names = [...(await scrape()).matchAll(/^hedgerow_last_tick_timestamp_seconds\{name="([\w-]+)"\}/gm)]
  expect(names).toHaveLength((await app.stores.jobs.ticks()).size)
  expect(names.length).toBeGreaterThanOrEqual(9)
})

it('counts jumps of the clock in both directions', async () => {
  const jumps = () =>
    Promise.all(['ahead', 'back'].map((way) => value(`hedgerow_clock_jumps_total{direction="${way}"}`)))
  await app.runner.runDue()
  expect(await jumps()).toEqual([0, 0])
  app.clock.jump(2 * DAY)
  await app.runner.runDue()
  expect(await jumps()).toEqual([1, 0])
  expect(await value('hedgerow_clock_ahead_seconds')).toBe(172_800)
  app.clock.jump(-2 * DAY)
  await app.runner.runDue()
  expect(await jumps()).toEqual([1, 1])
})

it.skipIf(noPromtool)(`is clean for promtool${noPromtool ? ` (${noPromtool})` : ''}`, async () => {
  await capture()
  await capture([{ event: '' }])
  await app.call('GET', '/nowhere/')
  await record()
  await app.runner.runDue()
  expect(checkMetrics(await scrape())).toBe('')
  expect(checkMetrics('# TYPE a_total gauge\na_total 1\n')).toContain('a_total')
})

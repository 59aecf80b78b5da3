/** What the doctor reports of a healthy server, and of each possible problem. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Key } from '../../../src/model/accounts/key.ts'
import type { Stores } from '../../../src/model/stores.ts'
import { nextDeletionRun } from '../../../src/rules/erasure/deletion-schedule.ts'
import { makeApp, ROOT_KEY, type TestApp } from '../../support/app.ts'
import { makeFolder } from '../../support/command.ts'
import { type DoctorOptions, doctorChecks, doctorSays } from '../../support/doctor.ts'
import { makeEvents, makePerson } from '../../support/make.ts'
import { startMailServer } from '../../support/servers/smtp.ts'
import { atScale } from '../../support/stores/stores.ts'

const MINUTE = 60_000

let app: TestApp
beforeEach(async () => {
  app = await makeApp()
})
afterEach(() => app.end())

const said = (name: string, options: DoctorOptions = {}) => doctorSays(app, name, options)
const restart = async (env: Record<string, string>) => {
  await app.end()
  app = await makeApp({ env })
}
const MUCH = '900TB'

it('finds nothing wrong with a server that runs', async () => {
  await app.runner.runDue()
  for (const name of await doctorChecks(app)) {
    // Its servers have the time of the machine.
    const options = name === 'clickhouse' ? { now: Date.now() } : {}
    expect([name, await said(name, options)]).toEqual([name, expect.stringMatching(/^ok: /)])
  }
})

it('looks at the disk, by the thresholds of the server that runs', async () => {
  const env = { HEDGEROW_MIN_FREE_FOR_EVENTS: MUCH, HEDGEROW_MIN_FREE_FOR_RECORDINGS: MUCH }
  expect(await said('disk', { env })).toMatch(/^ok: \d+(?:\.\d)? [GT]B free$/)
  expect(await said('disk', { env, isRunning: false })).toMatch(/^fail: .*neither events nor recordings/)
  await restart({ HEDGEROW_MIN_FREE_FOR_RECORDINGS: MUCH })
  expect(await said('disk')).toMatch(/^warn: .*recordings are not taken/)
  await restart({ HEDGEROW_MIN_FREE_FOR_EVENTS: MUCH })
  expect(await said('disk')).toMatch(/^fail: .*neither events nor recordings/)
})

it('looks at the clock, and at when a server last worked', async () => {
  expect(await said('server', { isRunning: false })).toMatch(/^warn: none has run/)
  expect(await said('server')).toMatch(/^fail: process \d+ runs version .*, but does not look for work/)
  await app.runner.runDue()
  expect(await said('server')).toMatch(/^ok: process \d+ runs version \d+\.\d+\.\d+ since 2026-03-04T12:00:00Z$/)
  expect(await said('server', { isRunning: false })).toMatch(
    /^warn: none runs; the last one looked for work at 2026-03/,
  )
  expect(await said('clock', { now: Date.UTC(2001, 1) })).toMatch(
    /^fail: it says 2001-02-01T00:00:00Z, which cannot be/,
  )
  expect(await said('clock', { now: app.clock.now() - 3 * MINUTE })).toMatch(
    /^fail: .* but work was done at 2026-03-04T12:0/,
  )
  expect(await said('server', { now: app.clock.now() + 6 * MINUTE })).toMatch(/^fail: .*does not look for work/)
})

it('looks at what waits', async () => {
  const now = app.clock.now()
  // Where no server runs, it is not processed.
  const folder = await makeFolder()
  const { stores } = folder
  await makeEvents({ clock: app.clock, stores: stores as Stores }, [{}])
  const stopped = { stores, isRunning: false }
  expect(await said('outbox', stopped)).toBe('ok: 1 batches wait for the event store')
  expect(await said('outbox', { ...stopped, now: now + 2 * MINUTE })).toMatch(/^warn: 1 batches .* for 2 min/)
  expect(await said('outbox', { ...stopped, env: { HEDGEROW_OUTBOX_ROWS: '1' } })).toMatch(
    /^fail: .*capture answers 503/,
  )
  await folder.end()
  await app.stores.transaction((tx) => tx.jobs.add({ kind: 'x', key: 'y', projectId: 1, payload: null, runAt: now }))
  expect(await said('jobs')).toBe('ok: 1 are due')
  expect(await said('jobs', { now: now + 6 * MINUTE })).toMatch(/^warn: 1 are due, the oldest for 6 min/)
  await app.stores.transaction(async (tx) => {
    const [job] = await tx.jobs.claim({ kinds: ['x'], now, owner: 'o', leaseMs: 1, limit: 1 })
    await tx.jobs.park(job?.id ?? 0, 'o', { now, error: 'no' })
  })
  expect(await said('jobs')).toMatch(/^warn: 1 could not be done. "hedgerow jobs list"/)
})

it('looks at late deletions', async () => {
  const person = await makePerson(app)
  await app.call('DELETE', `/api/environments/1/persons/${person.id}/`, { query: { delete_events: 'true' } })
  const sunday = nextDeletionRun(app.clock.now())
  expect(await said('deletions', { now: sunday + 60 * MINUTE })).toBe('ok: none is late')
  expect(await said('deletions', { now: sunday + 61 * MINUTE })).toMatch(
    /^fail: 1 are late by more than an hour.* "hedgerow deletions run --project ID" does those of a project at once\.$/,
  )
})

it('notices that there is no user, or no key that works', async () => {
  expect(await said('accounts')).toBe('ok: 1 users, 1 keys that work')
  const [key] = await app.stores.keys.listAll()
  const [user] = await app.stores.users.list()
  await app.stores.transaction((tx) => tx.keys.remove(key?.id ?? ''))
  expect(await said('accounts')).toMatch(/^fail: there is no key that works.* "hedgerow keys create --label TEXT"/)
  const expired = { ...(key as Key), expiresAt: app.clock.now() }
  await app.stores.transaction((tx) => tx.keys.create(expired, 'hash'))
  expect(await said('accounts')).toMatch(/^fail: there is no key that works/)
  await app.stores.transaction((tx) => tx.users.update(user?.id ?? 0, { isActive: false }))
  expect(await said('accounts')).toMatch(/^fail: there is no user.* "hedgerow users create --email TEXT"/)
})

it('logs in to the mail server, and never shows the password', async () => {
  const server = await startMailServer()
  const url = (password: string) => server.url.replace('//', `//ann:${password}@`)
  const env = (password: string) => ({ HEDGEROW_SMTP_URL: url(password), HEDGEROW_MAIL_FROM: 'a@example.com' })
  const publicly = { HEDGEROW_PUBLIC_URL: 'https://stats.example.com' }
  const stopped = (more: Record<string, string>) => said('mail', { env: more, isRunning: false })
  expect(await stopped({ ...env('right'), ...publicly })).toMatch(/^ok: .* lets us in$/)
  expect(await stopped(env('right'))).toMatch(/^warn: .*HEDGEROW_PUBLIC_URL/)
  const refused = await stopped({ ...env('secretly-wrong'), ...publicly })
  expect(refused).toMatch(/^fail: .*did not let us in: .*Authentication failed.*HEDGEROW_SMTP_URL/)
  expect(refused).not.toContain('secretly-wrong')

  // A server that runs has its own settings, whatever this shell has.
  expect(await said('mail', { env: env('secretly-wrong') })).toMatch(/^ok: not configured/)
  await restart({ ...env('right'), ...publicly })
  expect(await said('mail')).toBe(`ok: ${new URL(server.url).host} lets us in`)
  await server.stop()
  expect(await said('mail')).toMatch(/^fail: .*ECONNREFUSED/)
  expect(await stopped({ ...env('right'), ...publicly })).toMatch(/^fail: .*ECONNREFUSED/)
})

it('says which stores there are, and whether ClickHouse answers', async () => {
  const env = { HEDGEROW_EVENTS_URL: 'clickhouse://user:secretly-wrong@127.0.0.1:1/hedgerow' }
  expect(await said('stores', { env })).toMatch(/ClickHouse(?:; | and S3$)/)
  expect(await said('clickhouse', { env })).toBe('fail: nobody answers there. Look at HEDGEROW_EVENTS_URL.')
  const embedded = 'S3; SQLite and DuckDB in the data folder'
  expect(await said('stores', { env: { HEDGEROW_BLOBS_URL: 's3://bucket' } })).toBe(
    `ok: ${atScale ? 'PostgreSQL, ClickHouse and S3' : embedded}`,
  )
})

it('is told by the server only what is not secret, and nobody else is told anything', async () => {
  await restart({ HEDGEROW_METRICS_TOKEN: 'metrics-token-0123456789' })
  const ask = (key: string | null) => app.call('GET', '/_status', { key })
  for (const key of [null, 'wrong', ROOT_KEY, 'metrics-token-0123456789']) {
    expect((await ask(key)).statusCode).toBe(403)
  }
  const answer = await ask(app.features.system.statusToken)
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(answer.json()).toMatchObject({
    pid: process.pid,
    checks: { sql: 'ok' },
    settings: { HEDGEROW_API_KEY: '(set)' },
  })
  expect(answer.body).not.toMatch(/metrics-token|phx_test|phc_test/)
})

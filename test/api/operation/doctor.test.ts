/** What the doctor reports of a healthy server, and of each possible problem. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { checks } from '../../../src/cli/doctor.ts'
import { readConfig } from '../../../src/config.ts'
import type { SqlStores, Stores } from '../../../src/model/stores.ts'
import { nextDeletionRun } from '../../../src/rules/erasure/deletion-schedule.ts'
import { makeApp, type TestApp } from '../../support/app.ts'
import { makeFolder } from '../../support/command.ts'
import { makeEvents, makePerson } from '../../support/make.ts'
import { startMailServer } from '../../support/servers/smtp.ts'

const MINUTE = 60_000

let app: TestApp
beforeEach(async () => {
  app = await makeApp()
})
afterEach(() => app.end())

const said = async (
  name: string,
  env: Record<string, string> = {},
  now = app.clock.now(),
  stores: SqlStores = app.stores,
) => {
  const config = readConfig({ HEDGEROW_DATA_DIR: app.dataDir, ...env })
  const { state, words } = (await checks(config, stores, now)[name]?.()) ?? { state: 'none', words: '' }
  return `${state}: ${words}`
}

it('finds nothing wrong with a server that runs', async () => {
  await app.runner.runDue()
  for (const name of Object.keys(checks(readConfig({ HEDGEROW_DATA_DIR: app.dataDir }), app.stores, 0))) {
    expect([name, await said(name)]).toEqual([name, expect.stringMatching(/^ok: /)])
  }
})

it('looks at the disk', async () => {
  const much = '900000000000000'
  expect(await said('disk', { HEDGEROW_MIN_FREE_FOR_RECORDINGS: much })).toMatch(/^warn: .*recordings are not taken/)
  expect(await said('disk', { HEDGEROW_MIN_FREE_FOR_EVENTS: much })).toMatch(/^fail: .*neither events nor recordings/)
})

it('looks at the clock, and at when a server last worked', async () => {
  expect(await said('server')).toMatch(/^warn: none has run/)
  await app.runner.runDue()
  expect(await said('clock', {}, Date.UTC(2001, 1))).toMatch(/^fail: it says 2001-02-01T00:00:00Z, which cannot be/)
  expect(await said('clock', {}, app.clock.now() - 3 * MINUTE)).toMatch(
    /^fail: .* but work was done at 2026-03-04T12:0/,
  )
  expect(await said('server', {}, app.clock.now() + 6 * MINUTE)).toMatch(/^warn: none has looked for work since/)
})

it('looks at what waits', async () => {
  const now = app.clock.now()
  // Where no server runs, it is not processed.
  const folder = await makeFolder()
  await makeEvents({ clock: app.clock, stores: folder.stores as Stores }, [{}])
  expect(await said('outbox', {}, now, folder.stores)).toBe('ok: 1 batches wait for the event store')
  expect(await said('outbox', {}, now + 2 * MINUTE, folder.stores)).toMatch(/^warn: 1 batches .* for 2 min/)
  expect(await said('outbox', { HEDGEROW_OUTBOX_ROWS: '1' }, now, folder.stores)).toMatch(
    /^fail: .*capture answers 503/,
  )
  await folder.end()
  await app.stores.transaction((tx) => tx.jobs.add({ kind: 'x', key: 'y', projectId: 1, payload: null, runAt: now }))
  expect(await said('jobs')).toBe('ok: 1 are due')
  expect(await said('jobs', {}, now + 6 * MINUTE)).toMatch(/^warn: 1 are due, the oldest for 6 min/)
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
  expect(await said('deletions', {}, sunday + 60 * MINUTE)).toBe('ok: none is late')
  expect(await said('deletions', {}, sunday + 61 * MINUTE)).toMatch(
    /^fail: 1 are late by more than an hour.* "hedgerow deletions run --project ID" does those of a project at once\.$/,
  )
})

it('logs in to the mail server, and never shows the password', async () => {
  const server = await startMailServer()
  const url = (password: string) => server.url.replace('//', `//ann:${password}@`)
  const env = (password: string) => ({ HEDGEROW_SMTP_URL: url(password), HEDGEROW_MAIL_FROM: 'a@example.com' })
  const publicly = { HEDGEROW_PUBLIC_URL: 'https://stats.example.com' }
  expect(await said('mail', { ...env('right'), ...publicly })).toMatch(/^ok: .* lets us in$/)
  expect(await said('mail', env('right'))).toMatch(/^warn: .*HEDGEROW_PUBLIC_URL/)
  const refused = await said('mail', { ...env('secretly-wrong'), ...publicly })
  expect(refused).toMatch(/^fail: .*did not let us in: .*Authentication failed.*HEDGEROW_SMTP_URL/)
  expect(refused).not.toContain('secretly-wrong')
  await server.stop()
  expect(await said('mail', { ...env('right'), ...publicly })).toMatch(/^fail: .*ECONNREFUSED/)
})

it('says what this version does not have', async () => {
  expect(await said('stores', { HEDGEROW_BLOBS_URL: 's3://bucket' })).toMatch(/^fail: .*S3. Unset HEDGEROW_BLOBS_URL/)
})

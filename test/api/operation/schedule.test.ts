/** Recurring work: each line of the schedule runs at its time, and removes only what is due. */
import { Cron } from 'croner'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Job } from '../../../src/model/job.ts'
import type { SqlStores } from '../../../src/model/stores.ts'
import { schedule } from '../../../src/schedule.ts'
import { countEvents } from '../../../src/stores/contract/count-events.ts'
import { makeApp, PROJECT_TOKEN, type TestApp } from '../../support/app.ts'

let app: TestApp
beforeEach(async () => {
  app = await makeApp()
})
afterEach(() => app.end())

const entries = (stores: Pick<SqlStores, 'transaction'> = app.stores) => {
  const idle = async () => {}
  const work = {
    finishErasing: idle,
    joinBlocks: idle,
    sweepDrafts: idle,
    sweepBytes: idle,
    checkMail: idle,
    createDueDeliveries: idle,
    removeExpired: idle,
    removeExpiredEvents: idle,
    removeExpiredWarnings: idle,
    removeEndedSignIns: idle,
    foldOwners: idle,
    runDeletions: idle,
    catchUpDeletions: idle,
    completePeople: idle,
    clearProject: idle,
    clearHistory: idle,
    reformatHistory: idle,
    truncateLog: idle,
    makeBackup: idle,
  }
  return schedule({ stores, ...work })
}
/** The clock stands at a moment by which every line has had a tick since the last time. */
const run = () => app.runner.runDue()
const HOUR = 3_600_000
const DAY = 24 * HOUR

describe('work that could not be done', () => {
  it('is shown on /_ready and in the metrics, and the server stays ready', async () => {
    await app.stores.transaction(async (tx) => {
      await tx.jobs.add({ kind: 'x', key: 'y', projectId: 1, payload: null, runAt: app.clock.now() })
      const claim = { kinds: ['x'], now: app.clock.now(), owner: 'o', leaseMs: 1_000, limit: 1 }
      const [job] = await tx.jobs.claim(claim)
      await tx.jobs.park(job?.id ?? 0, 'o', { now: app.clock.now(), error: 'no' })
    })
    const ready = await app.call('GET', '/_ready', { key: null })
    expect([ready.statusCode, ready.json().status]).toEqual([200, 'ok'])
    expect(ready.json().checks.jobs).toBe('1 parked: "hedgerow jobs list" shows them')
    const { body } = await app.call('GET', '/metrics', { key: null })
    expect(body).toMatch(/^hedgerow_jobs_parked 1$/m)
    expect(body).toMatch(/^hedgerow_jobs_due 0$/m)
  })
})

describe('the schedule', () => {
  it('has a readable line and a name of its own for each entry', () => {
    expect(new Set(entries().map((entry) => entry.name)).size).toBe(entries().length)
    for (const entry of entries()) expect(new Cron(entry.cron, { paused: true }).nextRun()).not.toBeNull()
  })
  it('says of all that removes data that it waits for a trusted clock', () => {
    const others = entries().filter(({ destructive }) => !destructive)
    const names = ['fold-owners', 'complete-people', 'deliver-due-subscriptions', 'check-mail']
    expect(others.map(({ name }) => name)).toEqual(names)
  })
  it('forgets an event’s uuid after seven days, and not before', async () => {
    const event = { event: 'x', distinct_id: 'u', uuid: '018f0000-0000-7000-8000-000000000001' }
    const payload = JSON.stringify({ api_key: PROJECT_TOKEN, batch: [event] })
    const send = () =>
      app.server.inject({ method: 'POST', url: '/batch/', headers: { 'content-type': 'application/json' }, payload })
    await send()
    app.clock.advance(7 * DAY)
    await run()
    await send()
    expect(await countEvents(app.stores.events, 1)).toBe(1)
    app.clock.advance(HOUR)
    await run()
    await send()
    expect(await countEvents(app.stores.events, 1)).toBe(2)
  })
  it.each([
    ['forget-event-uuids', 7 * DAY],
    ['forget-idempotency-keys', DAY],
  ])('has thousands forgotten at most 5,000 at a time: %s', async (name, age) => {
    const now = app.clock.now()
    const old = now - age - 1
    const uuids = Array.from({ length: 11_000 }, (_, n) => `018f0000-0000-7000-9000-${String(n).padStart(12, '0')}`)
    await app.stores.peopleTransaction([2], async (tx) => {
      await tx.intake.freshUuids(2, uuids, old)
      for (const token of uuids) await tx.idempotency.claim({ keyId: 'k', projectId: 2, token, claimedAt: old }, 'hash')
    })
    /** How many were removed in each transaction. */
    const portions: number[] = []
    const counted: SqlStores['transaction'] = async (work) => {
      const result = await app.stores.transaction(work)
      portions.push(result as number)
      return result
    }
    const entry = entries({ transaction: counted }).find((one) => one.name === name)
    const lease = { now, signal: new AbortController().signal, complete: async () => true }
    await entry?.run({} as Job, lease)
    expect(portions).toEqual([5_000, 5_000, 1_000])
    await entry?.run({} as Job, lease)
    expect(portions.slice(3)).toEqual([0])
  })
  it('forgets an Idempotency-Key after a day', async () => {
    const make = async () =>
      (await app.call('POST', '/api/projects/', { body: { name: 'Once' }, headers: { 'idempotency-key': 'k' } })).json()
        .id
    const first = await make()
    expect(await make()).toBe(first)
    app.clock.advance(DAY + 1)
    await run()
    expect(await make()).not.toBe(first)
  })
})

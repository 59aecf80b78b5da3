/** A clock that jumps removes nothing, is reported, and stops no recurring work. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { clock as clockCommand } from '../../../src/cli/clock.ts'
import { removeExpiredEvents } from '../../../src/features/deletions/expired-events.ts'
import { removeExpired } from '../../../src/features/recordings/retention.ts'
import { claimKey } from '../../../src/http/idempotency/claim.ts'
import { nextDeletionRun } from '../../../src/rules/erasure/deletion-schedule.ts'
import { countEvents } from '../../../src/stores/contract/count-events.ts'
import { makeApp, PROJECT_TOKEN, type TestApp } from '../../support/app.ts'
import { testClock } from '../../support/clock.ts'
import { printed } from '../../support/command.ts'
import { toEarlierVersion } from '../../support/data-folder/earlier-version.ts'
import { subscribe } from '../../support/deliveries/subscription.ts'
import { doctorSays } from '../../support/doctor.ts'
import { makeEvents, makePerson, makeRecording } from '../../support/make.ts'
import { removeFolder, tempFolder } from '../../support/program.ts'
import { hasBytes } from '../../support/replay/replay.ts'
import { needsDuckdb } from '../../support/stores/stores.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const API = '/api/environments/1'

let dataDir: string
let app: TestApp
beforeEach(async () => {
  dataDir = tempFolder()
  app = await makeApp({ dataDir })
  await app.runner.runDue()
})
afterEach(async () => {
  await app.end()
  removeFolder(dataDir)
})

/** Stops the server for this long by the clock, and starts it again. */
async function restart(stopped: number): Promise<void> {
  await app.end()
  app.clock.jump(stopped)
  app = await makeApp({ dataDir, clock: app.clock })
}
const run = () => app.runner.runDue()
const lastTick = async () => Math.max(...(await app.stores.jobs.ticks()).values())
const ready = async () => (await app.call('GET', '/_ready', { key: null })).json()
const said = async () => (await ready()).checks.clock
const metric = async (name: string) =>
  new RegExp(`^${name} (\\S+)$`, 'm').exec((await app.call('GET', '/metrics', { key: null })).body)?.[1]
const logged = (text: string) => app.logs.filter((line) => line.includes(text)).length
const stored = (sessionId: string) => hasBytes(app, sessionId)
const listed = async () =>
  (await app.call('GET', `${API}/session_recordings/`, { query: { date_from: 'all' } })).json().results.length
/** What `hedgerow clock accept` prints, with the test's clock. */
async function accept(): Promise<void> {
  const now = app.clock.now()
  await app.stores.transaction((tx) => tx.clockState.save({ seenAt: now, trustedAt: now, holdLeft: null }))
}

/** One of everything that has a time: a recording, an old event, a uuid, an Idempotency-Key, a deletion that is due. */
async function fill() {
  const { sessionId } = await makeRecording(app, { startAt: app.clock.now() - DAY, bytes: 'x'.repeat(100) })
  await app.stores.transaction((tx) => tx.projects.update(1, { eventsRetentionDays: 30 }))
  const person = await makePerson(app, { distinctIds: ['ann'] })
  await makeEvents(app, [{ distinctId: 'ann' }, { distinctId: 'bob' }])
  await app.call('DELETE', `${API}/persons/${person.id}/`, { query: { delete_events: 'true' } })
  const event = { event: 'x', distinct_id: 'u', uuid: '018f0000-0000-7000-8000-000000000001' }
  const payload = JSON.stringify({ api_key: PROJECT_TOKEN, batch: [event] })
  const send = () =>
    app.server.inject({ method: 'POST', url: '/batch/', headers: { 'content-type': 'application/json' }, payload })
  await send()
  return {
    sessionId,
    async left() {
      await send()
      const { status } = (await app.call('GET', `${API}/persons/deletion_status/`)).json().results[0]
      return { events: await countEvents(app.stores.events, 1), bytes: await stored(sessionId), deletion: status }
    },
  }
}
const ALL = { events: 3, bytes: true, deletion: 'pending' }

describe('a clock that is 40 days ahead', () => {
  it.each(['at a start', 'while the server runs'])('removes nothing until it is accepted (%s)', async (when) => {
    const { left } = await fill()
    if (when === 'at a start') await restart(40 * DAY)
    else app.clock.jump(40 * DAY)
    for (let hours = 0; hours < 30; hours++) {
      await run()
      app.clock.advance(HOUR)
    }
    expect(await left()).toEqual(ALL)
    expect(await ready()).toMatchObject({
      status: 'ok',
      checks: {
        clock:
          'ahead by 40.0 days: nothing is removed for its age until "hedgerow clock accept" says that the clock is right',
      },
    })
    expect(await metric('hedgerow_clock_held')).toBe('1')
    expect(Number(await metric('hedgerow_clock_ahead_seconds'))).toBeCloseTo(40 * 86_400, -2)
    expect([logged('the clock is ahead by'), logged('believed again')]).toEqual([1, 0])
    await accept()
    await run()
    expect(await left()).toMatchObject({ bytes: false, deletion: 'completed' })
    expect([await said(), await metric('hedgerow_clock_held')]).toEqual(['ok', '0'])
    expect([logged('the clock is ahead by'), logged('believed again')]).toEqual([1, 1])
  })

  it('removes nothing at later starts either, and everything is back when the clock is set right', async () => {
    const { left, sessionId } = await fill()
    expect(await listed()).toBe(1)
    await restart(40 * DAY)
    expect(await listed()).toBe(0)
    expect(await stored(sessionId)).toBe(true)
    await run()
    await restart(HOUR)
    await run()
    expect(await said()).toMatch(/^ahead by 40/)
    await restart(-40 * DAY)
    await run()
    expect([await said(), await listed(), logged('went back')]).toEqual(['ok', 1, 1])
    app.clock.advance(HOUR)
    await run()
    expect(await left()).toEqual(ALL)
  })

  it('does not affect work claimed before the jump, which uses the time before', async () => {
    const { left } = await fill()
    app.clock.set(nextDeletionRun(app.clock.now()) - DAY)
    await run()
    app.clock.advance(2 * HOUR)
    // The poll for work has the right time; when the work begins, the clock has jumped.
    const { find } = app.stores.clockState
    let looks = 0
    Object.assign(app.stores.clockState, {
      find: async () => {
        looks += 1
        const found = await find()
        if (looks === 1) setImmediate(() => app.clock.jump(40 * DAY))
        return found
      },
    })
    await run()
    await run()
    expect(looks).toBeGreaterThan(1)
    expect(await left()).toEqual(ALL)
  })

  it('does not affect running work: it uses the instant it was claimed at', async () => {
    const { left } = await fill()
    const before = app.clock.now()
    app.clock.jump(40 * DAY)
    const parts = { stores: app.stores, clock: app.clock, failed: () => {}, removed: () => {}, compacted: () => {} }
    await removeExpired(parts, before)
    await removeExpiredEvents(parts, before)
    await app.features.deletions.catchUp(before)
    expect(await left()).toEqual(ALL)
  })

  it('refuses no block of a recording that goes on', async () => {
    const recorded = async () => {
      const properties = {
        token: PROJECT_TOKEN,
        distinct_id: 'ann',
        $session_id: 'session-1',
        $window_id: 'w',
        $snapshot_data: [{ type: 3, data: { source: 2, type: 2, id: 1 }, timestamp: start + ++sent }],
      }
      await app.call('POST', '/s/', { key: null, body: [{ event: '$snapshot', properties }] })
      return (await app.stores.recordings.standing(1, 'session-1'))?.recording.eventCount
    }
    const start = app.clock.now()
    let sent = 0
    expect(await recorded()).toBe(1)
    app.clock.jump(40 * DAY)
    expect(await recorded()).toBe(2)
    await accept()
    await run()
    expect(await recorded()).toBeUndefined()
  })

  it('bytes of an interrupted deletion stay too, until it is accepted', async () => {
    const { sessionId } = await makeRecording(app, { bytes: 'x' })
    await app.stores.transaction((tx) =>
      tx.recordings.replaceByTombstone(1, [sessionId], { userId: null, at: app.clock.now() }),
    )
    await restart(40 * DAY)
    await run()
    expect(await stored(sessionId)).toBe(true)
    await accept()
    await run()
    expect(await stored(sessionId)).toBe(false)
  })
})

describe('a clock that is ahead by more than a day', () => {
  it.each(['at a start', 'while the server runs'])('is trusted after an hour of steady time (%s)', async (when) => {
    const { left } = await fill()
    app.clock.set(nextDeletionRun(app.clock.now()) - 3 * DAY)
    await run()
    if (when === 'at a start') await restart(6 * DAY)
    else app.clock.jump(6 * DAY)
    await run()
    app.clock.advance(59 * MINUTE)
    await run()
    expect(await left()).toEqual(ALL)
    expect(await said()).toMatch(/^ahead by 6\.0 days: nothing is removed for its age for 1 minutes/)
    app.clock.advance(MINUTE)
    await run()
    expect(await left()).toMatchObject({ bytes: true, deletion: 'completed' })
    expect(await said()).toBe('ok')
  })

  it('does not hold what users request, nor deliveries', async () => {
    const person = await makePerson(app, { distinctIds: ['ann'] })
    await makeEvents(app, [{ distinctId: 'ann' }])
    await app.call('DELETE', `${API}/persons/${person.id}/`, { query: { delete_events: 'true' } })
    app.clock.jump(40 * DAY)
    await app.stores.transaction((tx) =>
      tx.jobs.add({ kind: 'run-deletions', key: 'now', projectId: 1, payload: { projectId: 1 }, runAt: 0 }),
    )
    await run()
    expect(await countEvents(app.stores.events, 1)).toBe(0)
    expect(await lastTick()).toBe(app.clock.now())
  })
})

describe('a short stop or jump', () => {
  it('holds nothing', async () => {
    await restart(DAY - HOUR)
    expect([await said(), logged('the clock is ahead')]).toEqual(['ok', 0])
    app.clock.jump(DAY - HOUR)
    await run()
    expect(await said()).toBe('ok')
  })
})

describe('a clock that went back', () => {
  const ticks = async (minutes: number) => {
    const seen = new Set<number | null>()
    for (let i = 0; i < minutes; i++) {
      app.clock.advance(MINUTE)
      await run()
      seen.add(await lastTick())
    }
    return seen.size
  }

  it.each(['at a start', 'while the server runs'])('keeps the rhythm of recurring work (%s)', async (when) => {
    app.clock.jump(40 * DAY)
    await run()
    if (when === 'at a start') await restart(-40 * DAY)
    else app.clock.jump(-40 * DAY)
    expect(await ticks(5)).toBe(5)
    expect(await lastTick()).toBeLessThanOrEqual(app.clock.now())
  })

  it('leaves no lease and no back-off in its old time', async () => {
    const add = (kind: string) =>
      app.stores.transaction(async (tx) => {
        const now = app.clock.now()
        await tx.jobs.add({ kind, key: 'a', projectId: 1, payload: { projectId: 1 }, runAt: now })
        const [job] = await tx.jobs.claim({ kinds: [kind], now, owner: 'dead', leaseMs: MINUTE, limit: 1 })
        return job?.id ?? 0
      })
    app.clock.jump(40 * DAY)
    await run()
    await add('leased')
    const failed = await add('failed')
    const runAt = app.clock.now() + 5 * MINUTE
    await app.stores.transaction((tx) => tx.jobs.retry(failed, 'dead', { runAt, error: 'no' }))
    await restart(-40 * DAY)
    expect(await app.stores.jobs.dueKinds(['leased', 'failed'], app.clock.now())).toEqual([])
    expect(await app.stores.jobs.dueKinds(['leased', 'failed'], app.clock.now() + 2 * MINUTE)).toEqual(['leased'])
    const later = app.clock.now() + 7 * MINUTE
    expect(await app.stores.jobs.dueKinds(['leased', 'failed'], later)).toEqual(['leased', 'failed'])
  })

  it('sends what is due by the right time, nothing of it twice', async () => {
    const { id } = await subscribe(app, { frequency: 'daily' })
    const deliveries = async () => {
      const { items } = await app.stores.deliveries.list({ projectId: 1, subscriptionId: id }, { limit: 99, offset: 0 })
      const dates = items.filter(({ occasion }) => occasion === 'scheduled')
      return dates.map(({ scheduledAt, status }) => [new Date(scheduledAt ?? 0).toISOString().slice(0, 10), status])
    }
    const next = async () => (await app.call('GET', `${API}/subscriptions/${id}/`)).json().next_delivery_date
    app.clock.jump(3 * DAY)
    await run()
    expect((await deliveries()).map(([date]) => date).sort()).toEqual(['2026-03-05', '2026-03-06', '2026-03-07'])
    expect(await next()).toBe('2026-03-08T09:00:00Z')
    app.clock.jump(-3 * DAY)
    await run()
    expect(await next()).toBe('2026-03-05T09:00:00Z')
    expect((await deliveries()).map(([date]) => date)).toEqual(['2026-03-07'])
    for (let day = 0; day < 5; day++) {
      app.clock.advance(DAY)
      await run()
    }
    const dates = (await deliveries()).map(([date]) => date)
    expect(dates.sort()).toEqual(['2026-03-05', '2026-03-06', '2026-03-07', '2026-03-08', '2026-03-09'])
  })

  it.each(['at a start', 'while the server runs'])('leaves no deletion in its old time (%s)', async (when) => {
    const ask = async (name: string) => {
      const { id } = await makePerson(app, { distinctIds: [name] })
      await makeEvents(app, [{ distinctId: name }])
      await app.call('DELETE', `${API}/persons/${id}/`, { query: { delete_events: 'true' } })
    }
    const dates = async () => (await app.stores.deletions.pending({ projectId: 1 }, 10)).map((row) => row.scheduledFor)
    await ask('before')
    const sunday = nextDeletionRun(app.clock.now())
    app.clock.jump(40 * DAY)
    await run()
    await ask('ahead')
    expect(await dates()).toEqual([sunday, nextDeletionRun(app.clock.now())])
    if (when === 'at a start') await restart(-40 * DAY)
    else app.clock.jump(-40 * DAY)
    await run()
    expect(await dates()).toEqual([sunday, sunday])
    // A day at a time, so that nothing looks like a jump.
    while (app.clock.now() < sunday + HOUR) {
      app.clock.advance(DAY / 2)
      await run()
    }
    expect([await dates(), await countEvents(app.stores.events, 1)]).toEqual([[], 0])
  })

  it('neither keeps a key’s last use nor a share’s wrong tries, nor an answer that never came, in its old time', async () => {
    app.clock.jump(40 * DAY)
    await app.call('GET', `${API}/persons/`)
    const ahead = app.clock.now()
    const begin = () =>
      app.stores.transaction((tx) => claimKey(tx, { keyId: 'k', projectId: 1, token: 't' }, 'hash', app.clock.now()))
    await begin()
    app.clock.jump(-40 * DAY)
    expect(await begin()).toMatchObject({ state: 'started' })
    app.clock.advance(MINUTE)
    await app.call('GET', `${API}/persons/`)
    const lastUse = async () =>
      (await app.call('GET', '/api/personal_api_keys/@current/')).json().last_used_at as string
    await expect.poll(async () => Date.parse(await lastUse())).toBeLessThan(ahead - 30 * DAY)
  })

  it('does not prolong limits: they use steady time', async () => {
    await app.end()
    app = await makeApp({ dataDir, clock: app.clock, env: { HEDGEROW_RATE_LIMITS: 'true' } })
    const status = async () => (await app.call('GET', `${API}/persons/`)).statusCode
    for (let i = 0; i < 480; i++) await status()
    expect(await status()).toBe(429)
    app.clock.jump(40 * DAY)
    expect(await status()).toBe(429)
    app.clock.jump(-80 * DAY)
    expect(await status()).toBe(429)
    app.clock.advance(MINUTE)
    expect(await status()).toBe(200)
  })
})

describe('the command line', () => {
  const config = () => app.config
  const doctor = () => doctorSays(app, 'clock')

  it('reports a hold, before a start too', async () => {
    expect(await doctor()).toMatch(/^ok: it says/)
    app.clock.jump(3 * DAY)
    expect(await doctor()).toMatch(/^warn: it says 2026-03-07T12:00:00Z, ahead by 3\.0 days: .* for 60 minutes/)
    await run()
    app.clock.jump(30 * DAY)
    await run()
    expect(await doctor()).toMatch(/^warn: .*ahead by 33\.0 days: .*until "hedgerow clock accept"/)
  })

  it('accepts the clock of the machine, which a running server sees, and only when something is held', async () => {
    // The store has the test's time, which is far behind that of the machine.
    expect(await printed(() => clockCommand(['accept'], config()))).toMatch(/^Accepted: it is 20\d\d-/)
    expect(await printed(() => clockCommand(['accept'], config()))).toMatch(/nothing is held\.\n$/)
    await expect(clockCommand([], config())).rejects.toThrow('Say "clock accept".')
    app.clock.jump(Date.now() - app.clock.now() + HOUR)
    await run()
    expect(await said()).toBe('ok')
  })
})

describe.skipIf(needsDuckdb('an earlier version'))('a folder of an earlier version', () => {
  it('is checked by what the server itself wrote, never by the time of an event', async () => {
    await makeEvents(app, [{ timestamp: app.clock.now() + 300 * DAY }])
    await makeRecording(app, { startAt: app.clock.now() + 300 * DAY, lastIngestAt: app.clock.now() })
    const last = app.clock.now()
    await app.end()
    await toEarlierVersion(dataDir)
    app = await makeApp({ dataDir, clock: testClock(last + 40 * DAY) })
    expect(await said()).toMatch(/^ahead by 40/)
    expect((await app.stores.clockState.find())?.trustedAt).toBe(last)
  })

  it('that ran with a clock far ahead goes on at its rhythm', async () => {
    const right = app.clock.now()
    await app.end()
    app = await makeApp({ dataDir, clock: testClock(right + 40 * DAY) })
    await run()
    await app.end()
    await toEarlierVersion(dataDir)
    app = await makeApp({ dataDir, clock: testClock(right) })
    await run()
    expect([await said(), await lastTick()]).toEqual(['ok', right])
  })
})

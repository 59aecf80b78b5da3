/** What recurs: each line does its work at its time, and only what is due. */
import { Cron } from 'croner'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { schedule } from '../../src/schedule.ts'
import { makeApp, PROJECT_TOKEN, type TestApp } from '../support/app.ts'

let app: TestApp
beforeEach(async () => {
  app = await makeApp()
})
afterEach(() => app.end())

const entries = () => schedule({ stores: app.stores, clock: app.clock, finishErasing: async () => {} })
const run = async (name: string) =>
  entries()
    .find((entry) => entry.name === name)
    ?.run()
const DAY = 86_400_000

describe('the schedule', () => {
  it('has a readable line and a name of its own for each entry', () => {
    expect(new Set(entries().map((entry) => entry.name)).size).toBe(entries().length)
    for (const entry of entries()) expect(new Cron(entry.cron, { paused: true }).nextRun()).not.toBeNull()
  })
  it('forgets an event’s uuid after seven days, and not before', async () => {
    const event = { event: 'x', distinct_id: 'u', uuid: '018f0000-0000-7000-8000-000000000001' }
    const payload = JSON.stringify({ api_key: PROJECT_TOKEN, batch: [event] })
    const send = () =>
      app.server.inject({ method: 'POST', url: '/batch/', headers: { 'content-type': 'application/json' }, payload })
    await send()
    app.clock.advance(7 * DAY)
    await run('forget-event-uuids')
    await send()
    expect(await app.stores.events.countEvents(1)).toBe(1)
    app.clock.advance(1)
    await run('forget-event-uuids')
    await send()
    expect(await app.stores.events.countEvents(1)).toBe(2)
  })
  it('forgets an Idempotency-Key after a day', async () => {
    const make = async () =>
      (await app.call('POST', '/api/projects/', { body: { name: 'Once' }, headers: { 'idempotency-key': 'k' } })).json()
        .id
    const first = await make()
    expect(await make()).toBe(first)
    app.clock.advance(DAY + 1)
    await run('forget-idempotency-keys')
    expect(await make()).not.toBe(first)
  })
})

/** Killed in the middle of deleting, repeatedly: what was requested is deleted, counted exactly, and nothing else. */
import { randomInt } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { readConfig } from '../../../src/config.ts'
import { uuidV7 } from '../../../src/lib/ids.ts'
import { systemClock } from '../../../src/lib/time/clock.ts'
import { RUN_DELETIONS } from '../../../src/model/job.ts'
import type { SqlStores, Stores } from '../../../src/model/stores.ts'
import { countEvents } from '../../../src/stores/contract/count-events.ts'
import { openSql, openStores } from '../../../src/stores/open.ts'
import { makeEvents, makePerson } from '../../support/make.ts'
import { type Running, start, useFolder } from '../../support/program.ts'
import { size } from '../../support/size.ts'
import { sqlUrlOf } from '../../support/stores/stores.ts'

const KEY = 'phx_e2e_key_0123456789abcdef'
const TOKEN = 'phc_e2e_token_0123456789'
const PERSONS = size(36, 2_500)
const DELETED = size(18, 1_000)
/** Of each person; two million in all when large. */
const EVENTS = size(100, 800)
const IN_A_SESSION = 10
const KILLS = size(6, 40)
/** Requested before this many of the kills: most at first, so that there is always something to do. */
const PARTS = KILLS
/** The maximum time between the job's claim and the kill; sooner where it came too late. */
const LATEST_MS = size(150, 2_500)
/** At least this many kills must come before the requests were marked as done. */
const MIDWAY = size(2, 10)

const EVER = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }

const folder = useFolder()
let server: Running | undefined

const say = (words: string) => {
  if (process.env.SOAK !== undefined) console.log(words)
}
const config = async () => ({
  ...readConfig({ HEDGEROW_DATA_DIR: folder() }),
  sqlUrl: await sqlUrlOf(folder()),
})
const open = async () =>
  openStores(await config(), {
    noteFailure: () => false,
    clock: systemClock,
    batchesParked: (_, error) => {
      throw new Error(error)
    },
    parkedDropped: ({ id }) => {
      throw new Error(`parked batch ${id} cannot be read`)
    },
    drainFailed: (error) => {
      throw error
    },
    lossAccepted: null,
  })
const serve = async () => {
  server = await start(folder(), { env: { HEDGEROW_API_KEY: KEY, HEDGEROW_PROJECT_TOKEN: TOKEN } })
  return server.url
}
const post = async (url: string, path: string, body: unknown) => {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  expect(response.ok).toBe(true)
}
const nameOf = (n: number) => `person-${n}`
const isDeleted = (n: number) => n < DELETED
/** Some of the deleted persons come back. */
const cameBack = (n: number) => isDeleted(n) && n % 3 === 0
const partOf = (n: number) => (n < DELETED * 0.6 ? 0 : 1 + (n % (PARTS - 1)))

async function fill(stores: Stores): Promise<void> {
  const clock = { ...systemClock, set: () => {}, advance: () => {}, jump: () => {} }
  for (let n = 0; n < PERSONS; n++) {
    await makePerson({ stores, clock }, { distinctIds: [nameOf(n)], properties: { n } })
    const sessions = Array.from({ length: EVENTS / IN_A_SESSION }, () => uuidV7(systemClock.now()))
    const events = Array.from({ length: EVENTS }, (_, i) => ({
      distinctId: nameOf(n),
      timestamp: systemClock.now() - i * 1_000,
      sessionId: sessions[Math.floor(i / IN_A_SESSION)] ?? null,
      properties: { path: `/page/${i}`, noise: uuidV7(systemClock.now()) },
    }))
    await makeEvents({ stores, clock }, events)
    // A read waits for the event store to catch up.
    if (n % 20 === 19 || n === PERSONS - 1) await countEvents(stores.events, 1)
    if (n % 500 === 499) say(`${n + 1} of ${PERSONS} persons stored`)
  }
}

async function request(url: string, part: number): Promise<void> {
  const numbers = Array.from({ length: DELETED }, (_, n) => n).filter((n) => partOf(n) === part)
  const body = { distinct_ids: numbers.map(nameOf), delete_events: true }
  await post(url, '/api/environments/1/persons/bulk_delete/', body)
  const batch = numbers.filter(cameBack).map((n) => ({ event: 'back', distinct_id: nameOf(n) }))
  if (batch.length > 0) await post(url, '/batch/', { api_key: TOKEN, batch })
}

/** Leaves the deletion to the running server and kills it some time after the deletion began. */
async function killMidway(stores: SqlStores, round: number, latestMs: number): Promise<void> {
  const key = `round-${round}`
  const job = { kind: RUN_DELETIONS, key, projectId: 1, payload: { projectId: 1 }, runAt: systemClock.now() }
  await stores.transaction((tx) => tx.jobs.add(job))
  while ((await stores.jobs.find(RUN_DELETIONS, key))?.attempts === 0) await sleep(2)
  await sleep(randomInt(Math.ceil(latestMs)))
  await server?.stop('SIGKILL')
}

async function checkStores(stores: Stores): Promise<void> {
  const { count, items } = await stores.deletions.list({ projectId: 1 }, { limit: DELETED, offset: 0 })
  expect(count).toBe(DELETED)
  const wrong = items.filter(
    ({ status, eventsDeleted, sessionsDeleted, recordingsDeleted }) =>
      status !== 'completed' ||
      eventsDeleted !== EVENTS ||
      sessionsDeleted !== EVENTS / IN_A_SESSION ||
      recordingsDeleted !== 0,
  )
  expect(wrong).toEqual([])
  const back = Array.from({ length: PERSONS }, (_, n) => n).filter(cameBack).length
  expect(await countEvents(stores.events, 1)).toBe((PERSONS - DELETED) * EVENTS + back)
  const step = Math.ceil(PERSONS / 400)
  for (let n = 0; n < PERSONS; n += step) {
    const query = { projectId: 1, distinctIds: [nameOf(n)], events: null, ...EVER }
    const left = isDeleted(n) ? Number(cameBack(n)) : EVENTS
    expect([n, (await stores.events.timeline(query)).length]).toEqual([n, left])
  }
}

it('deletes exactly what was requested', { timeout: size(180_000, 3_600_000) }, async () => {
  await serve()
  await server?.stop()
  const filling = await open()
  await fill(filling)
  await filling.close()
  const sizeBefore = statSync(join(folder(), 'events.duckdb')).size

  const sql = await openSql(await config())
  let latestMs = LATEST_MS
  let midway = 0
  for (let round = 0; round < KILLS; round++) {
    const url = await serve()
    if (round < PARTS) await request(url, round)
    await killMidway(sql.stores, round, latestMs)
    const left = (await sql.stores.deletions.pendingIds()).length
    say(`kill ${round + 1} of ${KILLS}: ${left} requests left`)
    if (left > 0) midway += 1
    latestMs = left > 0 ? Math.min(latestMs * 2, LATEST_MS) : latestMs / 4
  }
  expect(midway).toBeGreaterThanOrEqual(MIDWAY)
  await serve()
  await sql.stores.transaction((tx) =>
    tx.jobs.add({ kind: RUN_DELETIONS, key: 'last', projectId: 1, payload: { projectId: 1 }, runAt: 0 }),
  )
  await expect.poll(() => sql.stores.jobs.find(RUN_DELETIONS, 'last')).toBeNull()
  expect((await server?.stop())?.code).toBe(0)
  await sql.close()

  const stores = await open()
  await checkStores(stores)
  await stores.close()
  const sizeAfter = statSync(join(folder(), 'events.duckdb')).size
  say(`${sizeBefore} bytes before, ${sizeAfter} after`)
  // A small store is a few blocks, whatever its content.
  if (process.env.SOAK !== undefined) expect(sizeAfter).toBeLessThan(0.8 * sizeBefore)
})

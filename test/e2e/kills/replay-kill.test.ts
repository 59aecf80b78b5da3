/**
 * Killed in the middle of recordings, repeatedly: nothing acknowledged is lost or duplicated, in lines and in numbers,
 * and whatever was being written at the kill breaks no playback. Some sessions go on over every kill, with two
 * concurrent requests; others are started all the time, so that first blocks are hit too.
 */
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Running, removeFolder, start, tempFolder } from '../../support/program.ts'
import { size } from '../../support/size.ts'
import { withTables } from '../../support/stores/tables.ts'

const KEY = 'phx_e2e_key_0123456789abcdef'
const TOKEN = 'phc_e2e_token_0123456789'
const ENV = { HEDGEROW_API_KEY: KEY, HEDGEROW_PROJECT_TOKEN: TOKEN }
const ROUNDS = size(4, 40)
const PER_ROUND = size(60, 1_000)
const LONG_SESSIONS = 3
const EVENTS_EACH = 3

let folder: string
let server: Running
beforeEach(() => {
  folder = tempFolder()
})
afterEach(async () => {
  await server.stop('SIGKILL')
  removeFolder(folder)
})

interface Sent {
  session: string
  /** Unique; every rrweb event of the snapshot carries it. */
  n: number
}

const began = Date.now()
let count = 0

function snapshotOf({ session, n }: Sent): object {
  const events = Array.from({ length: EVENTS_EACH }, (_, i) => ({
    type: 3,
    data: { source: 2, type: 2, id: i, n, text: `snapshot ${n} `.repeat((n % 40) + 1) },
    timestamp: began + n * 10 + i,
  }))
  return {
    event: '$snapshot',
    uuid: `018f0000-0000-7000-8000-${String(n).padStart(12, '0')}`,
    properties: {
      token: TOKEN,
      distinct_id: 'jane',
      $session_id: session,
      $window_id: 'w',
      $snapshot_data: events,
    },
  }
}

async function post(sent: Sent): Promise<boolean> {
  const body = gzipSync(JSON.stringify([snapshotOf(sent)]))
  const response = await fetch(`${server.url}/s/`, { method: 'POST', headers: { 'content-type': 'text/plain' }, body })
  return response.status === 200
}

/** Sends until the server dies; what was not acknowledged stays open. */
async function stream(sessionOf: () => string, acknowledged: Sent[], open: Sent[]): Promise<void> {
  for (;;) {
    const sent = { session: sessionOf(), n: ++count }
    const stored = await post(sent).catch(() => false)
    ;(stored ? acknowledged : open).push(sent)
    if (!stored) return
  }
}

const api = (path: string): Promise<Response> =>
  fetch(`${server.url}/api/environments/1/session_recordings/${path}`, { headers: { authorization: `Bearer ${KEY}` } })

async function linesOf(session: string): Promise<number[]> {
  const { sources } = (await (await api(`${session}/snapshots/`)).json()) as { sources: unknown[] }
  const found: number[] = []
  for (let first = 0; first < sources.length; first += 100) {
    const keys = `start_blob_key=${first}&end_blob_key=${Math.min(first + 99, sources.length - 1)}`
    const response = await api(`${session}/snapshots/?source=blob_v2&${keys}`)
    expect(response.status).toBe(200)
    const lines = (await response.text()).split('\n')
    found.push(...lines.map((line) => (JSON.parse(line) as [string, { data: { n: number } }])[1].data.n))
  }
  return found
}

/** Every snapshot of the recording is complete and there once, the numbers agree, and it can be exported. */
async function inspect(session: string): Promise<Set<number>> {
  const found = await linesOf(session)
  const snapshots = new Set(found)
  expect(found.length).toBe(snapshots.size * EVENTS_EACH)
  for (const n of snapshots) expect(found.filter((other) => other === n).length).toBe(EVENTS_EACH)
  const recording = (await (await api(`${session}/`)).json()) as Record<string, number>
  expect([recording.event_count, recording.click_count]).toEqual([found.length, found.length])
  const exported = (await (await api(`${session}/snapshots/export/`)).json()) as unknown[]
  expect(exported.length).toBe(found.length)
  return snapshots
}

const draftedFolders = async (): Promise<Set<string>> => {
  const rows = await withTables({ dataDir: folder }, ({ all }) => all('select blob_key from recording_drafts'))
  return new Set(rows.map(({ blob_key }) => dirname(String(blob_key))))
}

/** What was acknowledged is there; what was not may be there, but nothing else is. */
async function check(acknowledged: Sent[], open: Sent[]): Promise<void> {
  const bySession = new Map<string, number[]>()
  for (const { session, n } of acknowledged) bySession.set(session, [...(bySession.get(session) ?? []), n])
  const maybe = new Set(open.map(({ n }) => n))
  for (const [session, wanted] of bySession) {
    const stored = await inspect(session)
    for (const n of wanted) expect(stored.has(n)).toBe(true)
    const others = [...stored].filter((n) => !wanted.includes(n))
    for (const n of others) expect(maybe.has(n)).toBe(true)
  }
  const folders = join(folder, 'blobs/1/recordings')
  const drafts = await draftedFolders()
  for (const session of existsSync(folders) ? readdirSync(folders) : []) {
    // One that was begun when the server was killed is noted, and swept later.
    if (!drafts.has(`1/recordings/${session}`)) expect((await api(`${session}/`)).status).toBe(200)
  }
}

it('loses and duplicates nothing', { timeout: size(120_000, 3_600_000) }, async () => {
  const acknowledged: Sent[] = []
  const open: Sent[] = []
  for (let round = 0; round < ROUNDS; round++) {
    server = await start(folder, { env: ENV })
    await check(acknowledged, open)
    // As SDKs do: what got no answer is sent again; and, now and then, what did.
    for (const sent of open.splice(0)) {
      expect(await post(sent)).toBe(true)
      acknowledged.push(sent)
    }
    for (const sent of acknowledged.slice(-5)) expect(await post(sent)).toBe(true)
    const goal = acknowledged.length + PER_ROUND
    const long = Array.from({ length: LONG_SESSIONS * 2 }, (_, i) => () => `long-${i % LONG_SESSIONS}`)
    const short = [0, 1].map(() => () => `short-${count >> 1}`)
    const lanes = [...long, ...short].map((sessionOf) => stream(sessionOf, acknowledged, open))
    while (acknowledged.length < goal) await new Promise((resolve) => setTimeout(resolve, 1))
    await server.stop('SIGKILL')
    await Promise.all(lanes)
    if (process.env.SOAK !== undefined)
      console.log(`round ${round + 1} of ${ROUNDS}: ${acknowledged.length} acknowledged`)
  }
  server = await start(folder, { env: ENV })
  for (const sent of open.splice(0)) {
    expect(await post(sent)).toBe(true)
    acknowledged.push(sent)
  }
  await check(acknowledged, [])
})

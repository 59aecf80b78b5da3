/** Events in: single ones over a bare server, batches over appending the same rows to DuckDB, memory meanwhile. */

import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { DuckDBInstance } from '@duckdb/node-api'
import { forkFile, PROJECT_TOKEN, type RunningServer, reply, startServer, stop } from './child.ts'
import { type Figure, inTurns, median } from './figure.ts'
import { alternate, ratios } from './load.ts'
import { tempFolder } from './temp-folder.ts'

const BATCH = 100
const EVENTS = 40_000
const ROUNDS = 3
const LOAD_EVENTS = 200_000
const MEMORY_BAR = 500_000_000

const event = (n: number) => ({
  event: '$pageview',
  uuid: '{u}',
  distinct_id: `visitor-${n % 1_000}`,
  properties: {
    $current_url: `https://shop.example.com/plants/${n % 50}`,
    $referring_domain: 'www.google.com',
    $browser: 'Chrome',
    $os: 'Linux',
    $lib: 'web',
    $session_id: `018f0000-0000-7000-8000-${String(n % 5_000).padStart(12, '0')}`,
  },
})

const batchBody = (from: number): string =>
  JSON.stringify({ api_key: PROJECT_TOKEN, batch: Array.from({ length: BATCH }, (_, i) => event(from + i)) })

export const eventThroughput: Figure = {
  name: 'POST /i/v0/e/ over bare node:http, requests/s',
  bar: { atLeast: 0.35 },
  async measure(say) {
    const server = await startServer(tempFolder())
    const bare = forkFile('./bare-server.ts')
    try {
      const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': '15' }
      bare.send({ headers, body: Buffer.from('{"status":"Ok"}'), readsBodies: true })
      const barePort = await reply<number>(bare)
      say('64 connections, in turns')
      const body = JSON.stringify({ token: PROJECT_TOKEN, ...event(1) })
      const targets = [server.port, barePort].map((port) => ({ port, path: '/i/v0/e/', body }))
      const results = await alternate(targets, { connections: 64, rounds: 21, roundMs: 500 })
      const [ours, theirs] = results.map((rounds) => Math.round(median(rounds.map((round) => round.perSecond))))
      return { ratio: median(ratios(results, 'perSecond')), from: `${ours} over ${theirs} requests/s` }
    } finally {
      await stop(bare)
      await server.stop()
    }
  },
}

let sent = 0

async function post(port: number, body: string): Promise<void> {
  const filled = body.replaceAll('{u}', () => `00000000-0000-7000-8000-${(++sent).toString(16).padStart(12, '0')}`)
  const response = await fetch(`http://127.0.0.1:${port}/batch/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: filled,
  })
  await response.text()
  if (response.status !== 200) throw new Error(`POST /batch/ answered ${response.status}.`)
}

/** Sends that many events on eight lanes; `each` is called after every batch. */
async function sendEvents(port: number, count: number, each: () => void): Promise<void> {
  let next = 0
  const lane = async () => {
    while (next < count) {
      const from = next
      next += BATCH
      await post(port, batchBody(from))
      each()
    }
  }
  await Promise.all(Array.from({ length: 8 }, lane))
}

async function untilDrained(port: number): Promise<void> {
  for (;;) {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    if (/^hedgerow_outbox_rows 0$/m.test(text)) return
    await pause(5)
  }
}

/** Events per second, stored and drained. */
async function throughServer(server: RunningServer): Promise<number> {
  const since = performance.now()
  await sendEvents(server.port, EVENTS, () => {})
  await untilDrained(server.port)
  return EVENTS / ((performance.now() - since) / 1_000)
}

/** Events per second of the plain loop: the rows that the store keeps of these events, appended one by one. */
async function throughLoop(): Promise<number> {
  const instance = await DuckDBInstance.create(join(tempFolder(), 'plain.duckdb'))
  const connection = await instance.connect()
  await connection.run(`CREATE TABLE events (
    project_id INTEGER NOT NULL, ord BIGINT NOT NULL, seq BIGINT NOT NULL, ts DOUBLE NOT NULL, event VARCHAR NOT NULL,
    distinct_id VARCHAR NOT NULL, distinct_hash UINTEGER NOT NULL, uuid UUID NOT NULL, session_id UUID,
    session_properties VARCHAR, properties VARCHAR USING COMPRESSION zstd, long_id BIGINT)`)
  const since = performance.now()
  const appender = await connection.createAppender('events')
  for (let n = 0; n < EVENTS; n++) {
    const { event: name, distinct_id, properties } = event(n)
    appender.appendInteger(1)
    appender.appendBigInt(BigInt(n))
    appender.appendBigInt(1n)
    appender.appendDouble(Date.now())
    appender.appendVarchar(name)
    appender.appendVarchar(distinct_id)
    appender.appendUInteger(n)
    appender.appendVarchar(`00000000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`)
    appender.appendVarchar(properties.$session_id)
    appender.appendVarchar(JSON.stringify({ url: properties.$current_url, domain: properties.$referring_domain }))
    appender.appendVarchar(JSON.stringify(properties))
    appender.appendNull()
    appender.endRow()
  }
  appender.closeSync()
  const perSecond = EVENTS / ((performance.now() - since) / 1_000)
  connection.closeSync()
  instance.closeSync()
  return perSecond
}

export const batchThroughput: Figure = {
  name: 'POST /batch/ over a loop of DuckDB appends, events/s',
  bar: { atLeast: 0.4 },
  async measure(say) {
    const server = await startServer(tempFolder())
    try {
      const { ratio, ours, theirs } = await inTurns(ROUNDS, async (round) => {
        say(`${EVENTS} events in batches of ${BATCH}, round ${round} of ${ROUNDS}`)
        return [await throughServer(server), await throughLoop()]
      })
      return { ratio, from: `${Math.round(ours)} over ${Math.round(theirs)} events/s` }
    } finally {
      await server.stop()
    }
  },
}

export const loadMemory: Figure = {
  name: 'memory while 200,000 events stream in over 500 MB',
  bar: { atMost: 1 },
  async measure(say) {
    const server = await startServer(tempFolder())
    try {
      say(`${LOAD_EVENTS} events`)
      let most = 0
      await sendEvents(server.port, LOAD_EVENTS, () => {
        most = Math.max(most, server.residentBytes())
      })
      await untilDrained(server.port)
      most = Math.max(most, server.residentBytes())
      return { ratio: most / MEMORY_BAR, from: `${Math.round(most / 1e6)} MB resident at most` }
    } finally {
      await server.stop()
    }
  },
}

/** Event ingestion: single events compared with a bare server, batches with appending the same rows to DuckDB, and memory use. */

import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { DuckDBInstance } from '@duckdb/node-api'
import { forkFile, PROJECT_TOKEN, type RunningServer, reply, startServer, stop } from './child.ts'
import { type Figure, inTurns, median } from './figure.ts'
import { alternate, ratios } from './load.ts'
import type { LoadOrder, LoadResult } from './load-process.ts'
import { tempFolder } from './temp-folder.ts'

const BATCH = 100
const VISITORS = 1_000
const EVENTS = 40_000
const ROUNDS = 3
const LOAD_EVENTS = 200_000
const MEMORY_BAR = 500_000_000

const event = (n: number) => ({
  event: '$pageview',
  uuid: '{u}',
  distinct_id: `visitor-${n % VISITORS}`,
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

/** All visitors, a hundred per batch. */
const BODIES = Array.from({ length: VISITORS / BATCH }, (_, i) => batchBody(i * BATCH))

/** Sends `count` events in batches, from the separate load process, which is as cheap as possible. */
async function sendEvents(load: ChildProcess, port: number, count: number): Promise<void> {
  const order: LoadOrder = {
    port,
    path: '/batch/',
    among: 1,
    headers: { 'content-type': 'application/json' },
    bodies: BODIES,
    connections: 8,
    until: { requests: count / BATCH },
  }
  load.send(order)
  await reply<LoadResult>(load)
}

async function untilDrained(port: number): Promise<void> {
  for (;;) {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    if (/^hedgerow_outbox_rows 0$/m.test(text)) return
    await pause(5)
  }
}

/** Events per second, stored and drained. */
async function throughServer(server: RunningServer, load: ChildProcess): Promise<number> {
  const since = performance.now()
  await sendEvents(load, server.port, EVENTS)
  await untilDrained(server.port)
  return EVENTS / ((performance.now() - since) / 1_000)
}

/** Events per second of a plain loop that appends the same rows as the store, one by one. */
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
    const load = forkFile('./load-process.ts')
    try {
      const { ratio, ours, theirs } = await inTurns(ROUNDS, async (round) => {
        say(`${EVENTS} events in batches of ${BATCH}, round ${round} of ${ROUNDS}`)
        return [await throughServer(server, load), await throughLoop()]
      })
      return { ratio, from: `${Math.round(ours)} over ${Math.round(theirs)} events/s` }
    } finally {
      await stop(load)
      await server.stop()
    }
  },
}

export const loadMemory: Figure = {
  name: 'memory while 200,000 events stream in over 500 MB',
  bar: { atMost: 1 },
  async measure(say) {
    const server = await startServer(tempFolder())
    const load = forkFile('./load-process.ts')
    let most = 0
    const watch = setInterval(() => {
      most = Math.max(most, server.residentBytes())
    }, 10)
    try {
      say(`${LOAD_EVENTS} events`)
      await sendEvents(load, server.port, LOAD_EVENTS)
      await untilDrained(server.port)
      return { ratio: most / MEMORY_BAR, from: `${Math.round(most / 1e6)} MB resident at most` }
    } finally {
      clearInterval(watch)
      await stop(load)
      await server.stop()
    }
  },
}

/** Event ingestion: single events compared with a bare server, batches with appending the same rows to DuckDB, and memory use. */

import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { BATCH, batchBodies, pageview, sendBatches, untilDrained } from './batches.ts'
import { forkFile, PROJECT_TOKEN, type RunningServer, reply, startServer, stop } from './child.ts'
import { type Figure, inTurns, type Measured } from './figure.ts'
import { overBare } from './load.ts'
import { tempFolder } from './temp-folder.ts'

const VISITORS = 1_000
const EVENTS = 40_000
const ROUNDS = 3
const LOAD_EVENTS = 200_000
const MEMORY_BAR = 500_000_000

/** Of a server, which it stops. */
export async function measureEvents(server: RunningServer, say: (progress: string) => void): Promise<Measured> {
  const bare = forkFile('./bare/server.ts')
  try {
    const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': '15' }
    bare.send({ headers, body: Buffer.from('{"status":"Ok"}'), readsBodies: true })
    const port = await reply<number>(bare)
    say('64 connections, in turns')
    const body = JSON.stringify({ token: PROJECT_TOKEN, ...pageview(1, visitor(1)) })
    return await overBare(server, { port, path: '/i/v0/e/', body }, { connections: 64, rounds: 21, roundMs: 500 })
  } finally {
    await stop(bare)
    await server.stop()
  }
}

export const eventThroughput: Figure = {
  name: 'POST /i/v0/e/ over bare node:http, requests/s',
  bar: { atLeast: 0.35 },
  measure: async (say) => measureEvents(await startServer(tempFolder()), say),
}

const visitor = (n: number): string => `visitor-${n % VISITORS}`

/** All visitors, a hundred per batch. */
const BODIES = batchBodies(Array.from({ length: VISITORS }, (_, n) => visitor(n)))

const sendEvents = (load: ChildProcess, port: number, count: number): Promise<void> =>
  sendBatches(load, port, BODIES, count / BATCH)

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
    const { event: name, distinct_id, properties } = pageview(n, visitor(n))
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

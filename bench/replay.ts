/** Replay ingestion: speed compared with decompressing and compressing the same bytes, and size on disk. */
import { randomUUID } from 'node:crypto'
import { closeSync, openSync, readdirSync, readFileSync, statSync, writeSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { PROJECT_TOKEN, startServer } from './child.ts'
import { type Figure, inTurns } from './figure.ts'
import { makeSession, type RrwebEvent } from './replay-session.ts'
import { tempFolder } from './temp-folder.ts'

const SESSIONS = 40
const CONNECTIONS = 16
const ROUNDS = 5
const HOUR = 3_600_000
const FIXTURES = ['recording-posthog-js.jsonl', 'recording-posthog-js-1.96.jsonl']

interface Body {
  bytes: Buffer
  /** JSON text of its rrweb events. */
  raw: number
}

interface Snapshot {
  properties: Record<string, unknown> & { $session_id: string; $snapshot_data: RrwebEvent[] }
}

function toBody(snapshots: Snapshot[]): Body {
  const raw = snapshots.map(({ properties }) => Buffer.byteLength(JSON.stringify(properties.$snapshot_data)))
  return { bytes: gzipSync(JSON.stringify(snapshots)), raw: raw.reduce((sum, length) => sum + length, 0) }
}

/** The requests of one synthetic session. */
function sessionBodies(seed: number, now: number): Body[] {
  const session = randomUUID()
  return makeSession(seed, now - HOUR).map((events) => {
    const properties = {
      token: PROJECT_TOKEN,
      distinct_id: 'jane',
      $session_id: session,
      $window_id: session,
      $snapshot_data: events,
      $lib: 'web',
    }
    return toBody([{ event: '$snapshot', uuid: randomUUID(), properties } as Snapshot])
  })
}

/** The requests of a real recording, unchanged except for token and time. */
function fixtureBodies(file: string, now: number): Body[] {
  const lines = readFileSync(new URL(`../test/fixtures/${file}`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
  const requests = lines.map((line) => JSON.parse(line) as Snapshot[])
  const times = requests.flat().flatMap(({ properties }) => properties.$snapshot_data.map((event) => event.timestamp))
  const shift = now - HOUR - Math.min(...times)
  return requests.map((snapshots) =>
    toBody(
      snapshots.map((snapshot) => ({
        ...snapshot,
        properties: {
          ...snapshot.properties,
          token: PROJECT_TOKEN,
          $snapshot_data: snapshot.properties.$snapshot_data.map((event) => ({
            ...event,
            timestamp: event.timestamp + shift,
          })),
        },
      })),
    ),
  )
}

function post(agent: Agent, port: number, { bytes }: Body): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'text/plain', 'content-length': bytes.length }
    const sent = request({ agent, port, host: '127.0.0.1', path: '/s/', method: 'POST', headers }, (response) => {
      response.resume()
      const { statusCode } = response
      response.on('end', () => (statusCode === 200 ? resolve() : reject(new Error(`POST /s/ answered ${statusCode}.`))))
    })
    sent.on('error', reject)
    sent.end(bytes)
  })
}

const rawOf = (sessions: Body[][]): number => sessions.flat().reduce((sum, body) => sum + body.raw, 0)

/** Megabytes of raw JSON per second; the requests of one session are sequential, sessions run in parallel. */
async function throughServer(port: number, sessions: Body[][]): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const waiting = [...sessions]
  const since = performance.now()
  const sendSessions = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      for (const body of next) await post(agent, port, body)
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, sendSessions))
  const rate = rawOf(sessions) / 1e3 / (performance.now() - since)
  agent.destroy()
  return rate
}

/** The same bytes, decompressed, compressed and written by a plain loop. */
function throughLoop(sessions: Body[][]): number {
  const file = openSync(join(tempFolder(), 'plain.bin'), 'w')
  const since = performance.now()
  for (const { bytes } of sessions.flat()) writeSync(file, gzipSync(gunzipSync(bytes)))
  const rate = rawOf(sessions) / 1e3 / (performance.now() - since)
  closeSync(file)
  return rate
}

export const replayThroughput: Figure = {
  name: 'POST /s/ over gunzip + gzip + write, raw MB/s',
  bar: { atLeast: 0.5 },
  async measure(say) {
    const server = await startServer(tempFolder())
    try {
      const { ratio, ours, theirs } = await inTurns(ROUNDS, async (round) => {
        const now = Date.now()
        const sessions = Array.from({ length: SESSIONS }, (_, seed) => sessionBodies(seed, now))
        say(`${Math.round(rawOf(sessions) / 1e6)} MB on ${CONNECTIONS} connections, round ${round} of ${ROUNDS}`)
        return [await throughServer(server.port, sessions), throughLoop(sessions)]
      })
      return { ratio, from: `${ours.toFixed(1)} over ${theirs.toFixed(1)} MB/s` }
    } finally {
      await server.stop()
    }
  },
}

function bytesIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}

/** Bytes on disk divided by raw JSON, with sequential requests. */
async function storedShare(bodies: Body[]): Promise<number> {
  const dataDir = tempFolder()
  const server = await startServer(dataDir)
  const agent = new Agent({ keepAlive: true })
  try {
    for (const body of bodies) await post(agent, server.port, body)
    return bytesIn(join(dataDir, 'blobs')) / rawOf([bodies])
  } finally {
    agent.destroy()
    await server.stop()
  }
}

export const replaySize: Figure = {
  name: 'replay bytes on disk over raw JSON, the worst of three',
  bar: { atMost: 0.15 },
  async measure(say) {
    const now = Date.now()
    say('two real recordings as their SDKs sent them, one made-up')
    const shares: number[] = []
    for (const bodies of [...FIXTURES.map((file) => fixtureBodies(file, now)), sessionBodies(1, now)]) {
      shares.push(await storedShare(bodies))
    }
    const [newer, older, made] = shares.map((share) => share.toFixed(3))
    return { ratio: Math.max(...shares), from: `real ${newer} and ${older}, made-up ${made}` }
  },
}

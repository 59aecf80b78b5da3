/** What is sent: people, events as those of the growth bench, and recordings; each until it is stored. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { PROJECT_TOKEN } from '../child.ts'
import { eventOf, personOf, type Size } from '../growth/world.ts'
import { makeSession } from '../replay-session.ts'

export interface Amounts {
  people: number
  events: number
  recordings: number
}

const CONNECTIONS = 8
const EVENTS_AT_ONCE = 500
const HOUR = 3_600_000
const AGAIN_MS = 100

type Sent = { path: string; body: string | Buffer }

/** As SDKs do: what is answered 503 is sent again. */
async function post(base: string, { path, body }: Sent): Promise<void> {
  for (;;) {
    const headers = { 'content-type': typeof body === 'string' ? 'application/json' : 'text/plain' }
    const { status } = await fetch(`${base}${path}`, { method: 'POST', headers, body })
    if (status === 200) return
    if (status !== 503) throw new Error(`${path} answered ${status}.`)
    await sleep(AGAIN_MS)
  }
}

async function sendAll(base: string, bodies: Iterator<Sent>): Promise<void> {
  const connection = async (): Promise<void> => {
    for (let next = bodies.next(); !next.done; next = bodies.next()) await post(base, next.value)
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, connection))
}

function* batches(total: number, itemsOf: (n: number) => object[]): Generator<Sent> {
  for (let start = 0; start < total; start += EVENTS_AT_ONCE) {
    const numbers = Array.from({ length: Math.min(EVENTS_AT_ONCE, total - start) }, (_, i) => start + i)
    yield { path: '/batch/', body: JSON.stringify({ api_key: PROJECT_TOKEN, batch: numbers.flatMap(itemsOf) }) }
  }
}

/** The first event of a person, and one for each further id. */
function arrivalOf(n: number, size: Size, now: number): object[] {
  const { distinctIds, createdAt, properties } = personOf(n, size, now)
  const [own, ...others] = distinctIds
  const timestamp = new Date(createdAt).toISOString()
  const identify = {
    event: '$identify',
    uuid: randomUUID(),
    distinct_id: own,
    timestamp,
    properties: { $set: properties },
  }
  const merges = others.map((id) => ({ ...identify, uuid: randomUUID(), properties: { $anon_distinct_id: id } }))
  return [identify, ...merges]
}

function* recordings(count: number, now: number): Generator<Sent> {
  for (let n = 0; n < count; n++) {
    const session = randomUUID()
    for (const events of makeSession(n, now - HOUR)) {
      const ids = { distinct_id: `user-${n}`, $session_id: session, $window_id: session }
      const properties = { token: PROJECT_TOKEN, ...ids, $snapshot_data: events, $lib: 'web' }
      yield { path: '/s/', body: gzipSync(JSON.stringify([{ event: '$snapshot', uuid: randomUUID(), properties }])) }
    }
  }
}

/** What has to come in, by the name of the row that is printed. */
export function traffic({ people, events, recordings: count }: Amounts): Record<string, Iterator<Sent>> {
  const [now, size] = [Date.now(), { name: 'costs', people, events }]
  return {
    [`${people} people`]: batches(people, (n) => arrivalOf(n, size, now)),
    [`${events} events`]: batches(events, (n) => {
      const { distinctId, timestamp, sessionId: _, ...rest } = eventOf(n, size, now)
      return [{ ...rest, distinct_id: distinctId, timestamp: new Date(timestamp).toISOString() }]
    }),
    [`${count} recordings`]: recordings(count, now),
  }
}

/** Until nothing waits for the event store. */
async function untilDrained(base: string): Promise<void> {
  for (;;) {
    const text = await (await fetch(`${base}/metrics`)).text()
    if (/^hedgerow_outbox_rows 0$/m.test(text)) return
    await sleep(AGAIN_MS)
  }
}

export async function send(port: number, bodies: Iterator<Sent>): Promise<void> {
  const base = `http://127.0.0.1:${port}`
  await sendAll(base, bodies)
  await untilDrained(base)
}

/** What is sent to the servers, again until it is acknowledged, and what was acknowledged. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Asked, type Fleet, TOKEN } from './fleet.ts'

const API = '/api/environments/1'
const PAUSE_MS = 100
const EVENTS = 20
const VISITORS = 200
const STABLE = 10
const SESSIONS = 30

export interface Acknowledged {
  /** Uuids of events. */
  events: string[]
  /** Keys that were set, by distinct id. */
  patched: { distinctId: string; key: string }[]
  /** Distinct ids that were split from another. */
  split: { main: string; other: string }[]
  /** Distinct ids whose person was deleted with its events. */
  deleted: string[]
  /** Snapshots, by session. */
  snapshots: { session: string; at: number }[]
}

const pick = (most: number): number => Math.floor(Math.random() * most)

export class Load {
  readonly acknowledged: Acknowledged = { events: [], patched: [], split: [], deleted: [], snapshots: [] }
  readonly #fleet: Fleet
  readonly #signal: AbortSignal
  #made = 0

  constructor(fleet: Fleet, signal: AbortSignal) {
    this.#fleet = fleet
    this.#signal = signal
  }

  /** Until they are told to stop; then what was begun is finished. */
  async run(): Promise<void> {
    const work = [
      () => this.#capture(),
      () => this.#capture(),
      () => this.#replay(),
      () => this.#patch(),
      () => this.#split(),
      () => this.#delete(),
      () => this.#read(),
    ]
    await Promise.all(work.map((one) => this.#repeat(one)))
  }

  async #repeat(work: () => Promise<void>): Promise<void> {
    while (!this.#signal.aborted) {
      await work()
      await sleep(PAUSE_MS)
    }
  }

  /** As SDKs do; the same request must count once. `done`: answers with which it is over. */
  async #insist(kind: string, method: string, path: string, body?: unknown, done = [200]): Promise<Asked> {
    for (;;) {
      const asked = await this.#fleet.ask(kind, method, path, body)
      if (done.includes(asked.status)) return asked
      if (asked.status !== 0 && asked.status < 500 && asked.status !== 429)
        throw new Error(`${method} ${path} answered ${asked.status}: ${asked.text}`)
      await sleep(PAUSE_MS)
    }
  }

  async #send(events: { event: string; distinct_id: string; properties?: object }[]): Promise<void> {
    const timestamp = new Date().toISOString()
    const batch = events.map((event) => ({ ...event, uuid: randomUUID(), timestamp }))
    await this.#insist('capture', 'POST', '/batch/', { api_key: TOKEN, batch })
    this.acknowledged.events.push(...batch.map(({ uuid }) => uuid))
  }

  /** Null: there is none. */
  async #personOf(distinctId: string): Promise<number | null> {
    const { text } = await this.#insist('people', 'GET', `${API}/persons/?distinct_id=${distinctId}`)
    return JSON.parse(text).results[0]?.id ?? null
  }

  async #capture(): Promise<void> {
    const events = Array.from({ length: EVENTS }, (_, n) => ({
      event: `event-${n % 5}`,
      distinct_id: `visitor-${pick(VISITORS)}`,
      properties: { n, $set: { last: n } },
    }))
    await this.#send(events)
  }

  async #patch(): Promise<void> {
    const distinctId = `stable-${pick(STABLE)}`
    const id = await this.#personOf(distinctId)
    if (id === null) return this.#send([{ event: 'seen', distinct_id: distinctId }])
    const key = `key-${this.#made++}`
    await this.#insist('people', 'PATCH', `${API}/persons/${id}/`, { properties: { [key]: true } })
    this.acknowledged.patched.push({ distinctId, key })
  }

  async #split(): Promise<void> {
    const [main, other] = [`main-${this.#made}`, `other-${this.#made}`]
    this.#made += 1
    await this.#send([{ event: '$identify', distinct_id: main, properties: { $anon_distinct_id: other } }])
    const id = await this.#personOf(main)
    if (id === null) throw new Error(`${main} was captured and is not there.`)
    const body = { distinct_ids_to_split: [other] }
    // Another answer than the first: it was split by a request whose answer got lost.
    await this.#insist('people', 'POST', `${API}/persons/${id}/split/`, body, [200, 201, 400])
    this.acknowledged.split.push({ main, other })
  }

  async #delete(): Promise<void> {
    const distinctId = `deleted-${this.#made++}`
    await this.#send([{ event: 'seen', distinct_id: distinctId }])
    const id = await this.#personOf(distinctId)
    if (id === null) throw new Error(`${distinctId} was captured and is not there.`)
    await this.#insist('people', 'DELETE', `${API}/persons/${id}/?delete_events=true`, undefined, [204, 404])
    this.acknowledged.deleted.push(distinctId)
  }

  async #replay(): Promise<void> {
    const session = `session-${pick(SESSIONS)}`
    const at = Date.now()
    const click = { type: 3, data: { source: 2, type: 2, id: 7 }, timestamp: at }
    const properties = {
      token: TOKEN,
      distinct_id: 'recorded',
      $session_id: session,
      $window_id: 'window',
      $snapshot_data: [click],
      $lib: 'web',
    }
    await this.#insist('replay', 'POST', '/s/', [{ uuid: randomUUID(), event: '$snapshot', properties }])
    this.acknowledged.snapshots.push({ session, at })
  }

  async #read(): Promise<void> {
    await this.#fleet.ask('reading events', 'GET', `${API}/events/?limit=10`)
  }
}

/**
 * Load on a running server while it is backed up, and an independent record of what it acknowledged: events with their
 * properties, blocks of recordings and deletions, each with the moment in the record at which it was acknowledged.
 */
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { Stores } from '../../src/model/stores.ts'

export const KEY = 'phx_e2e_key_0123456789abcdef'
export const TOKEN = 'phc_e2e_token_0123456789'
export const ENV = { HEDGEROW_API_KEY: KEY, HEDGEROW_PROJECT_TOKEN: TOKEN }

const EVENTS_A_BATCH = 25
const PERSONS = 40
const SESSIONS = 12
const AUTHORIZED = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }

const digest = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex')

const uuidOf = (kind: number, n: number) => `018f0000-000${kind}-7000-8000-${String(n).padStart(12, '0')}`
const personOf = (n: number) => `person-${n % PERSONS}`

/** What an event is compared by. */
const eventDigest = (event: string, distinctId: string, path: unknown, noise: unknown): string =>
  digest([event, distinctId, path, noise])

export class Load {
  readonly #url: string
  #isOver = false
  #count = 0
  #lanes: Promise<void>[] = []
  /** By uuid: the digest. In the order of the answers. */
  readonly events = new Map<string, string>()
  /** By session: the numbers of its snapshots. */
  readonly snapshots: { session: string; n: number }[] = []
  /** Sent and not necessarily answered. */
  readonly sent = new Set<string>()
  readonly refused: string[] = []

  constructor(url: string) {
    this.#url = url
  }

  begin(): void {
    const lanes = [() => this.#capture(), () => this.#capture(), () => this.#replay(), () => this.#remove()]
    this.#lanes = lanes.map(async (work) => {
      while (!this.#isOver) await work()
    })
  }

  async end(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#lanes)
  }

  async #post(path: string, headers: Record<string, string>, body: string | Buffer): Promise<boolean> {
    try {
      const { status } = await fetch(this.#url + path, { method: 'POST', headers, body })
      if (status >= 200 && status < 300) return true
      this.refused.push(`${path} ${status}`)
    } catch (error) {
      // The server was killed.
      this.refused.push(`${path} ${(error as Error).message}`)
      this.#isOver = true
    }
    return false
  }

  async #capture(): Promise<void> {
    const batch = Array.from({ length: EVENTS_A_BATCH }, () => {
      const n = ++this.#count
      const properties = { path: `/page/${n}`, noise: `${n} `.repeat(n % 60), $set: { last: n } }
      return { event: 'seen', uuid: uuidOf(1, n), distinct_id: personOf(n), properties }
    })
    for (const { uuid } of batch) this.sent.add(uuid)
    const body = JSON.stringify({ api_key: TOKEN, batch })
    if (!(await this.#post('/batch/', { 'content-type': 'application/json' }, body))) return
    for (const { uuid, event, distinct_id, properties } of batch) {
      this.events.set(uuid, eventDigest(event, distinct_id, properties.path, properties.noise))
    }
  }

  async #replay(): Promise<void> {
    const n = ++this.#count
    const session = uuidOf(2, n % SESSIONS)
    // The first is a full snapshot.
    const events = [2, 3, 3].map((type, i) => ({
      type,
      data: { source: 2, type: 2, id: i, n, text: `snapshot ${n} `.repeat((n % 40) + 1) },
      timestamp: Date.now(),
    }))
    const properties = {
      token: TOKEN,
      distinct_id: 'watched',
      $session_id: session,
      $window_id: 'w',
      $snapshot_data: events,
    }
    const body = gzipSync(JSON.stringify([{ event: '$snapshot', uuid: uuidOf(3, n), properties }]))
    if (await this.#post('/s/', { 'content-type': 'text/plain' }, body)) this.snapshots.push({ session, n })
  }

  /** Of persons nobody else sends for: one event each, deleted with it. */
  async #remove(): Promise<void> {
    const id = `removed-${++this.#count}`
    const batch = [{ event: 'gone', distinct_id: id, properties: { $set: { secret: id } } }]
    if (
      !(await this.#post('/batch/', { 'content-type': 'application/json' }, JSON.stringify({ api_key: TOKEN, batch })))
    )
      return
    const chosen = JSON.stringify({ distinct_ids: [id], delete_events: true })
    await this.#post('/api/environments/1/persons/bulk_delete/', AUTHORIZED, chosen)
  }
}

/** All events of the project in a store: uuid and digest, each as often as it is there. */
export async function storedEvents({ events }: Stores, name: string): Promise<[uuid: string, digest: string][]> {
  const found: [string, string][] = []
  let from: { position: { timestamp: number; seq: number; place: number }; direction: 'older' } | undefined
  for (;;) {
    const request = { limit: 5_000, isWalk: true, ...(from && { from }) }
    const page = await events.listEvents(1, { event: name }, request)
    for (const { uuid, event, distinctId, properties } of page.events) {
      found.push([uuid, eventDigest(event, distinctId, properties.path, properties.noise)])
    }
    const last = page.events.at(-1)
    if (!page.more || !last) return found
    from = { position: last, direction: 'older' }
  }
}

/** How many full snapshots the list names, block by block. */
export async function listedFullSnapshots(url: string, session: string): Promise<(number | undefined)[]> {
  const path = `${url}/api/environments/1/session_recordings/${session}/snapshots/`
  const { sources } = (await (await fetch(path, { headers: AUTHORIZED })).json()) as {
    sources: { full_snapshots: unknown[] | null }[]
  }
  return sources.map(({ full_snapshots }) => full_snapshots?.length)
}

/** Numbers of the snapshots that a server plays for a session, in order. */
export async function playedSnapshots(url: string, session: string): Promise<number[]> {
  const path = `${url}/api/environments/1/session_recordings/${session}/snapshots/export/`
  const response = await fetch(path, { headers: AUTHORIZED })
  if (response.status !== 200) throw new Error(`${session}: ${response.status}`)
  const exported = (await response.json()) as { data: { n: number } }[]
  return exported.map(({ data }) => data.n)
}

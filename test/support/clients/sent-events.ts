/**
 * What a client has sent, read from its requests in every form that a release has: plain, gzip, base64 and lz64, as
 * body, form field or query parameter. One that is sent again under the same uuid counts once.
 */
import { gunzipSync } from 'node:zlib'
import { decodeLz64 } from '../../../src/lib/bytes/lz64.ts'
import type { PassedRequest } from './recording-proxy.ts'

interface SentEvent {
  event: string
  uuid?: string
  properties?: Record<string, unknown>
}

export interface Sent {
  events: SentEvent[]
  /** How many rrweb events each session was sent. */
  snapshots: Map<string, number>
}

const CAPTURE = /^\/(?:e|i\/v0\/e|batch|capture|track|engage|s|i\/v1\/analytics\/events)\/?$/

async function textOf(bytes: Buffer, compression: string | null): Promise<string> {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return gunzipSync(bytes).toString()
  if (compression === 'lz64') return (await decodeLz64(bytes, { limit: 50_000_000, hold: () => {} })).toString()
  const text = bytes.toString()
  return /^[A-Za-z0-9+/=\s]+$/.test(text) ? textOf(Buffer.from(text, 'base64'), null) : text
}

/** The JSON of a request; null when it sends no events. */
async function readRequest({ method, path, headers, body }: PassedRequest): Promise<unknown> {
  const { pathname, searchParams } = new URL(path, 'http://localhost')
  if (!CAPTURE.test(pathname) || method === 'OPTIONS') return null
  const isForm = headers['content-type']?.includes('x-www-form-urlencoded') ?? false
  const form = isForm && body.toString().includes('data=') ? new URLSearchParams(body.toString()) : null
  const field = form?.get('data') ?? searchParams.get('data')
  const compression = searchParams.get('compression') ?? form?.get('compression') ?? null
  return JSON.parse(await textOf(field == null ? body : Buffer.from(field.replaceAll(' ', '+')), compression))
}

const eventsIn = (json: unknown): SentEvent[] => {
  if (json === null) return []
  if (Array.isArray(json)) return json
  return (json as { batch?: SentEvent[] }).batch ?? [json as SentEvent]
}

function addSnapshots(snapshots: Map<string, number>, { properties }: SentEvent): void {
  const session = String(properties?.$session_id)
  snapshots.set(session, (snapshots.get(session) ?? 0) + [properties?.$snapshot_data].flat().length)
}

/** Everything that was sent, whatever it was answered. */
export async function readSent(requests: readonly PassedRequest[]): Promise<Sent> {
  const all = (await Promise.all(requests.map(readRequest))).flatMap(eventsIn)
  const uuids = new Set<string>()
  const sent: Sent = { events: [], snapshots: new Map() }
  for (const event of all) {
    if (event.uuid !== undefined && uuids.has(event.uuid)) continue
    if (event.uuid !== undefined) uuids.add(event.uuid)
    if (event.event === '$snapshot') addSnapshots(sent.snapshots, event)
    else sent.events.push(event)
  }
  return sent
}

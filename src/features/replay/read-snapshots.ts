/**
 * The events of a `/s/` request as snapshots: their session, and which of their rrweb events can be played. Each event
 * is checked on its own, so that a bad event is dropped alone, and each keeps its own session, window and distinct id:
 * old SDKs mix several in one request. Replay data is stored as it is.
 */

import { eachInSlices } from '../../lib/concurrency/time-slices.ts'
import { isUuid, readUuid } from '../../lib/ids.ts'
import { isJsonObject, type Json, type JsonObject, storableText } from '../../lib/json/json.ts'
import { cutText } from '../../lib/text/code-points.ts'
import { DAY } from '../../lib/time/time.ts'
import { isPlayable, type RrwebEvent } from '../../rules/rrweb/event.ts'

export interface Snapshot {
  /** Its index in the request. */
  index: number
  sessionId: string
  windowId: string
  distinctId: string
  source: 'web' | 'mobile'
  library: string | null
  /** 32 hex digits; null when the SDK gave none. */
  uuid: string | null
  /** Not empty. */
  events: RrwebEvent[]
  /** The JSON text of each event as it was sent; null when it has to be serialized again. */
  texts: Buffer[] | null
}

/** Why an item is not an event of a recording. */
export type Malformed =
  | 'invalid_event'
  | 'missing_session_id'
  | 'invalid_session_id'
  | 'missing_snapshot_data'
  | 'missing_distinct_id'
/** Why an event of a recording cannot be stored. */
type Unplayable = 'snapshot_without_events' | 'snapshot_outside_time_window'

export interface ReplayDrop {
  index: number
  reason: Malformed | Unplayable
  sessionId: string | null
}

export interface Arrived {
  now: number
  userAgent: string
  /** Found by raw-events.ts, item by item. */
  texts: (Buffer[] | null)[]
}

const MAX_ID = 200
const MAX_AWAY = 7 * DAY
const SESSION_ID = /^[A-Za-z0-9-]{1,70}$/
/** Old SDKs also send these; they are not part of a recording. */
const IGNORED = '$performance_event'

function asText(value: Json | undefined): string | null {
  if (value === undefined || value === null) return null
  const text = storableText(typeof value === 'string' ? value : JSON.stringify(value))
  return text.trim() === '' ? null : cutText(text, MAX_ID)
}

const lowerUuid = (id: string): string => (isUuid(id.toLowerCase()) ? id.toLowerCase() : id)

function libraryOf(properties: JsonObject, userAgent: string): string | null {
  const named = asText(properties.$lib)
  if (named !== null) return named
  return userAgent.includes('posthog') ? cutText(userAgent.split('/')[0] ?? '', MAX_ID) : null
}

function itemsOf(data: Json | undefined): Json[] | null {
  if (Array.isArray(data)) return data
  return isJsonObject(data) ? [data] : null
}

/** The snapshot with its content, or what is wrong with it. */
function readShape(item: unknown, index: number, userAgent: string): (Snapshot & { items: Json[] }) | Malformed {
  if (!isJsonObject(item)) return 'invalid_event'
  const properties = isJsonObject(item.properties) ? item.properties : {}
  const session = properties.$session_id
  if (session === undefined || session === null || session === '') return 'missing_session_id'
  if (typeof session !== 'string' || !SESSION_ID.test(session)) return 'invalid_session_id'
  const items = itemsOf(properties.$snapshot_data)
  if (items === null) return 'missing_snapshot_data'
  const distinctId = asText(item.distinct_id) ?? asText(item.$distinct_id) ?? asText(properties.distinct_id)
  if (distinctId === null) return 'missing_distinct_id'
  const sessionId = lowerUuid(session)
  return {
    index,
    sessionId,
    windowId: lowerUuid(asText(properties.$window_id) ?? sessionId),
    distinctId,
    source: properties.$snapshot_source === 'mobile' ? 'mobile' : 'web',
    library: libraryOf(properties, userAgent),
    uuid: typeof item.uuid === 'string' ? (readUuid(item.uuid)?.replaceAll('-', '') ?? null) : null,
    events: [],
    texts: null,
    items,
  }
}

const isNear = (events: RrwebEvent[], now: number): boolean =>
  events.every(({ timestamp }) => Math.abs(timestamp - now) <= MAX_AWAY)

function readOne(item: unknown, index: number, { now, userAgent, texts }: Arrived): Snapshot | ReplayDrop {
  const shape = readShape(item, index, userAgent)
  if (typeof shape === 'string') return { index, reason: shape, sessionId: null }
  const { items, ...snapshot } = shape
  const events = items.filter(isPlayable)
  const { sessionId } = snapshot
  if (events.length === 0) return { index, reason: 'snapshot_without_events', sessionId }
  if (!isNear(events, now)) return { index, reason: 'snapshot_outside_time_window', sessionId }
  const written = texts[index]?.length === items.length ? texts[index] : null
  return { ...snapshot, events, texts: written?.filter((_, i) => isPlayable(items[i])) ?? null }
}

/** In slices. */
export async function readSnapshots(
  items: unknown[],
  arrived: Arrived,
): Promise<{ snapshots: Snapshot[]; drops: ReplayDrop[] }> {
  const snapshots: Snapshot[] = []
  const drops: ReplayDrop[] = []
  await eachInSlices(items.entries(), ([index, item]) => {
    if (isJsonObject(item) && item.event === IGNORED) return
    const read = readOne(item, index, arrived)
    if ('reason' in read) drops.push(read)
    else snapshots.push(read)
  })
  return { snapshots, drops }
}

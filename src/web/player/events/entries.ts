/** What a list beside the player shows of the recorded events: pages, clicks, console lines and requests. */
import type { PlayerEntry } from '../../../model/recordings/player-messages.ts'
import {
  CLICK,
  INCREMENTAL,
  META,
  MOUSE_INTERACTION,
  PLUGIN,
  type RecordedEvent,
  type WindowEvent,
} from './recorded-event.ts'

const CONSOLE = 'rrweb/console@1'
const NETWORK = 'rrweb/network@1'
const MOST_TEXT = 300

/** Half of a surrogate pair, which a cut may leave at the end. */
const HALF_A_PAIR = /[\ud800-\udbff]$/

const levelOf = (level: unknown): PlayerEntry['kind'] => (level === 'error' || level === 'warn' ? level : 'log')

/** Each console argument is separate JSON. */
function plain(argument: unknown): string {
  try {
    const value: unknown = JSON.parse(String(argument))
    return typeof value === 'string' ? value : String(argument)
  } catch {
    return String(argument)
  }
}

const cut = (text: string): string => text.slice(0, MOST_TEXT).replace(HALF_A_PAIR, '')

const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

/** One of a browser's own notes on a request, with what the SDK adds to it. */
function requestOf(request: unknown, seen: number): PlayerEntry | null {
  if (typeof request !== 'object' || request === null) return null
  const { name, method, status, responseStatus, duration, timestamp } = request as Record<string, unknown>
  if (typeof name !== 'string') return null
  const answered = numberOf(status) ?? numberOf(responseStatus)
  const took = numberOf(duration)
  return {
    kind: 'request',
    timestamp: numberOf(timestamp) ?? seen,
    text: cut(name),
    ...(typeof method === 'string' ? { method: cut(method) } : {}),
    ...(answered === undefined ? {} : { status: answered }),
    ...(took === undefined ? {} : { milliseconds: took }),
  }
}

function pluginEntries({ data, timestamp }: RecordedEvent): PlayerEntry[] {
  const { plugin, payload } = data ?? {}
  if (plugin === NETWORK && Array.isArray(payload?.requests))
    return payload.requests.flatMap((request: unknown) => requestOf(request, timestamp) ?? [])
  if (plugin !== CONSOLE) return []
  const { level, payload: said } = payload ?? {}
  const text = Array.isArray(said) ? said.map(plain).join(' ') : ''
  return [{ kind: levelOf(level), timestamp, text: cut(text) }]
}

function pageOf({ windowId, event: { data, timestamp } }: WindowEvent): PlayerEntry {
  const [width, height] = [numberOf(data?.width), numberOf(data?.height)]
  const size = width === undefined || height === undefined ? {} : { width, height }
  return { kind: 'page', timestamp, text: cut(String(data?.href ?? '')), windowId, ...size }
}

function describe(item: WindowEvent): PlayerEntry[] {
  const { event } = item
  const { type, data, timestamp } = event
  if (type === META) return [pageOf(item)]
  if (type === INCREMENTAL && data?.source === MOUSE_INTERACTION && data.type === CLICK)
    return [{ kind: 'click', timestamp, text: 'Click' }]
  return type === PLUGIN ? pluginEntries(event) : []
}

export const entriesOf = (events: WindowEvent[]): PlayerEntry[] => events.flatMap(describe)

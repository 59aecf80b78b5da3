/**
 * What one rrweb event adds to a recording's counts: clicks, key presses, mouse, console, activity, page URLs.
 * The rules are PostHog's own; nothing here reads compressed parts, because
 * everything that is counted is outside of them.
 */
import { isJsonObject, type JsonObject } from '../../lib/json/json.ts'
import { cutText } from '../../lib/text/code-points.ts'
import type { RecordingCounters } from '../../model/recordings/recording.ts'

/** An event that can be played: it has a timestamp. */
export interface RrwebEvent extends JsonObject {
  timestamp: number
}

const INCREMENTAL = 3
const PLUGIN = 6
const MOUSE_INTERACTION = 2
const INPUT = 5
const CONSOLE_PLUGIN = 'rrweb/console@1'
const MAX_URL = 4_096

/** Mouse move, mouse interaction, scroll, resize, input, touch move, media, drag. */
const ACTIVE_SOURCES = new Set<unknown>([1, 2, 3, 4, 5, 6, 7, 12])
const MOUSE_SOURCES = new Set<unknown>([1, 2, 6])
/** Click, context menu, double click, touch end. */
const CLICKS = new Set<unknown>([2, 3, 4, 9])
const ERRORS = new Set<unknown>(['error', 'assert'])
const WARNINGS = new Set<unknown>(['warn', 'countReset'])

export const NO_COUNTERS: RecordingCounters = {
  clicks: 0,
  keypresses: 0,
  mouseActivity: 0,
  consoleLogs: 0,
  consoleWarns: 0,
  consoleErrors: 0,
}

export const isPlayable = (item: unknown): item is RrwebEvent =>
  isJsonObject(item) && typeof item.timestamp === 'number' && Number.isFinite(item.timestamp) && item.timestamp > 0

const dataOf = (event: RrwebEvent): JsonObject => (isJsonObject(event.data) ? event.data : {})

/** Whether it is user activity. */
export const isActive = (event: RrwebEvent): boolean =>
  event.type === INCREMENTAL && ACTIVE_SOURCES.has(dataOf(event).source)

function countConsole(counters: RecordingCounters, data: JsonObject): void {
  if (data.plugin !== CONSOLE_PLUGIN) return
  const level = isJsonObject(data.payload) ? data.payload.level : undefined
  if (ERRORS.has(level)) counters.consoleErrors += 1
  else if (WARNINGS.has(level)) counters.consoleWarns += 1
  else counters.consoleLogs += 1
}

/** Adds the event to the counters. */
export function countEvent(counters: RecordingCounters, event: RrwebEvent, withConsole: boolean): void {
  const data = dataOf(event)
  if (event.type === PLUGIN && withConsole) countConsole(counters, data)
  if (event.type !== INCREMENTAL) return
  if (MOUSE_SOURCES.has(data.source)) counters.mouseActivity += 1
  if (data.source === MOUSE_INTERACTION && CLICKS.has(data.type)) counters.clicks += 1
  if (data.source === INPUT) counters.keypresses += 1
}

export const addCounters = (a: RecordingCounters, b: RecordingCounters): RecordingCounters => ({
  clicks: a.clicks + b.clicks,
  keypresses: a.keypresses + b.keypresses,
  mouseActivity: a.mouseActivity + b.mouseActivity,
  consoleLogs: a.consoleLogs + b.consoleLogs,
  consoleWarns: a.consoleWarns + b.consoleWarns,
  consoleErrors: a.consoleErrors + b.consoleErrors,
})

/** The URL of the page, if the event has one; null otherwise. */
export function pageUrl(event: RrwebEvent): string | null {
  const data = dataOf(event)
  const href = data.href ?? (isJsonObject(data.payload) ? data.payload.href : undefined)
  if (typeof href !== 'string') return null
  const url = href.trim()
  return url === '' ? null : cutText(url, MAX_URL)
}

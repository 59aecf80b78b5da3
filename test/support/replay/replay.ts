/** Real recordings as the SDKs sent them, small generated ones, and how both are sent and read back. */
import { readFileSync } from 'node:fs'
import { recordingFolder } from '../../../src/rules/recordings/recording.ts'
import { PROJECT_TOKEN, type TestApp } from '../app.ts'

export const FIXTURE_TOKEN = 'phc_testtoken0001'
/** An hour after the fixtures were recorded. */
export const FIXTURE_NOW = Date.UTC(2026, 10, 15, 1)

export interface WireEvent {
  type: number
  data: unknown
  timestamp: number
  [key: string]: unknown
}

export interface WireSnapshot {
  uuid?: string
  event: string
  properties: Record<string, unknown> & { $session_id: string; $window_id?: string; $snapshot_data: WireEvent[] }
}

export interface ExpectedRecording {
  session_id: string
  distinct_ids: string[]
  window_ids: string[]
  rrweb_events: number
  first_ms: number
  last_ms: number
  duration_ms: number
  click_count: number
  keypress_count: number
  mouse_activity_count: number
  console_log_count: number
  console_warn_count: number
  console_error_count: number
  urls: string[]
  active_milliseconds: number
  start_url: string
}

const fixture = (name: string): string => readFileSync(new URL(`../../fixtures/${name}`, import.meta.url), 'utf8')

export const RECORDINGS = ['recording-posthog-js.jsonl', 'recording-posthog-js-1.96.jsonl'] as const

export const expectedOf = (file: string): ExpectedRecording[] => JSON.parse(fixture('recording-expected.json'))[file]

/** The bodies of the requests, in order of arrival. */
export const requestsOf = (file: string): WireSnapshot[][] =>
  fixture(file)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as WireSnapshot[])

export interface SnapshotInput {
  session?: string
  window?: string
  distinctId?: string
  uuid?: string | null
  events: WireEvent[]
  properties?: Record<string, unknown>
}

let made = 0

/** One `$snapshot` event with a uuid of its own. */
export function makeSnapshot(input: SnapshotInput): WireSnapshot {
  made += 1
  const { session = 'session-1', window = 'window-1', distinctId = 'jane', events, properties } = input
  const uuid = input.uuid === undefined ? `018f0000-0000-7000-8000-${String(made).padStart(12, '0')}` : input.uuid
  return {
    ...(uuid === null ? {} : { uuid }),
    event: '$snapshot',
    properties: {
      token: PROJECT_TOKEN,
      distinct_id: distinctId,
      $session_id: session,
      $window_id: window,
      $snapshot_data: events,
      $lib: 'web',
      ...properties,
    },
  }
}

export const click = (timestamp: number): WireEvent => ({ type: 3, data: { source: 2, type: 2, id: 7 }, timestamp })
export const mutation = (timestamp: number, text = ''): WireEvent => ({
  type: 3,
  data: { source: 0, texts: [{ id: 3, value: text }], attributes: [], removes: [], adds: [] },
  timestamp,
})
export const page = (timestamp: number, href: string): WireEvent => ({
  type: 4,
  data: { href, width: 1280, height: 720 },
  timestamp,
})

export const send = (app: TestApp, body: unknown, path = '/s/', headers: Record<string, string> = {}) =>
  app.server.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/json', ...headers },
    payload: Buffer.isBuffer(body) || typeof body === 'string' ? body : JSON.stringify(body),
  })

export const recordingPath = (session: string, rest = '', project: number | string = 1): string =>
  `/api/environments/${project}/session_recordings/${session}/${rest}`

export type Line = [window: string, event: WireEvent]

/** Every line of a recording, block after block. */
export async function linesOf(app: Pick<TestApp, 'call'>, session: string): Promise<Line[]> {
  const { sources } = (await app.call('GET', recordingPath(session, 'snapshots/'))).json()
  const lines: Line[] = []
  for (let start = 0; start < sources.length; start += 100) {
    const end = Math.min(start + 99, sources.length - 1)
    const query = { source: 'blob_v2', start_blob_key: String(start), end_blob_key: String(end) }
    const { body } = await app.call('GET', recordingPath(session, 'snapshots/'), { query })
    lines.push(...body.split('\n').map((line) => JSON.parse(line) as Line))
  }
  return lines
}

/** Whether anything of the recording is in the blob store. */
export const hasBytes = async ({ stores }: Pick<TestApp, 'stores'>, sessionId: string): Promise<boolean> =>
  (await stores.blobs.list(recordingFolder(1, sessionId))).length > 0

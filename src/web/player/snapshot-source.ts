/** Loads the recording from the server: a list of blocks first, then their lines, a range of blocks at a time. */
import { decompressEvent } from './events/decompress.ts'
import { drawable } from './events/drawable.ts'
import type { RecordedEvent, WindowEvent } from './events/recorded-event.ts'

interface FullSnapshot {
  windowId: string
  timestamp: number
}

export interface Block {
  key: number
  /** Times of its first and last event. */
  start: number
  end: number
  /** Null: not known. */
  full: FullSnapshot[] | null
}

export interface SnapshotSource {
  /** By time of their first event. */
  blocks(): Promise<Block[]>
  /** Both ends included. */
  read(firstKey: number, lastKey: number): Promise<WindowEvent[]>
}

interface ListedSource {
  source: string
  start_timestamp: string | null
  end_timestamp: string | null
  blob_key: string | null
  full_snapshots: { window_id: string; timestamp: string }[] | null
}

const TRIES = 4
const WAIT_MS = 500

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const isEvent = (value: unknown): value is RecordedEvent =>
  typeof value === 'object' && value !== null && 'type' in value && Number((value as RecordedEvent).timestamp) > 0

/** A line is `[windowId, event]`, `{window_id, data: [event…]}` or an event alone; anything else is skipped. */
export function readLine(line: string): WindowEvent[] {
  const value: unknown = JSON.parse(line)
  if (Array.isArray(value)) return isEvent(value[1]) ? [{ windowId: String(value[0]), event: value[1] }] : []
  if (isEvent(value)) return [{ windowId: '', event: value }]
  const { window_id, windowId = window_id, data } = (value ?? {}) as Record<string, unknown>
  return Array.isArray(data) ? data.filter(isEvent).map((event) => ({ windowId: String(windowId ?? ''), event })) : []
}

/** Lines that cannot be read are skipped; the others play. */
export async function readLines(text: string, remote = false): Promise<WindowEvent[]> {
  const read = text
    .split('\n')
    .filter((line) => line !== '')
    .map(async (line) => {
      const items = readLine(line).map(async ({ windowId, event }) => ({
        windowId,
        event: drawable(await decompressEvent(event), remote),
      }))
      return Promise.all(items)
    })
  const settled = await Promise.allSettled(read)
  return settled.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
}

/** `remote`: images may come from the recorded site. */
export function openSource(address: string, grant: string | null, remote: boolean): SnapshotSource {
  const headers: Record<string, string> = grant === null ? {} : { authorization: `Bearer ${grant}` }
  const load = async (parameters: Record<string, string>): Promise<Response> => {
    const url = new URL(address, location.href)
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
    for (let attempt = 1; ; attempt++) {
      const response = await fetch(url, { headers }).catch(() => null)
      if (response?.ok) return response
      const final = response !== null && response.status < 500 && response.status !== 429
      if (final || attempt === TRIES)
        throw new Error(`The recording could not be loaded (${response?.status ?? 'no answer'}).`)
      await sleep(WAIT_MS * 2 ** attempt)
    }
  }
  return {
    async blocks() {
      const { sources } = (await (await load({})).json()) as { sources: ListedSource[] }
      const blocks = sources
        .filter(({ source }) => source === 'blob_v2')
        .map(({ blob_key, start_timestamp, end_timestamp, full_snapshots }) => ({
          key: Number(blob_key),
          start: Date.parse(start_timestamp ?? ''),
          end: Date.parse(end_timestamp ?? ''),
          full:
            full_snapshots?.map((full) => ({ windowId: full.window_id, timestamp: Date.parse(full.timestamp) })) ??
            null,
        }))
      return blocks.sort((a, b) => a.start - b.start || a.key - b.key)
    },
    async read(firstKey, lastKey) {
      const range = { source: 'blob_v2', start_blob_key: String(firstKey), end_blob_key: String(lastKey) }
      return readLines(await (await load(range)).text(), remote)
    },
  }
}

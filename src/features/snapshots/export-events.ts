/**
 * All events of a recording as one JSON array, sorted by time, without repeats, each with the window it belongs to.
 * Streamed: blocks are read in the order of their first events, and whatever is older than the next block's first
 * event goes out. Only events that reach into a later block wait; beyond MAX_WAITING characters of them the older
 * half goes out as it is, so that no recording can fill memory.
 */
import type { RecordingBlock } from '../../model/recording.ts'
import type { RrwebEvent } from '../../rules/rrweb.ts'
import { inflateParts, writeEvent } from '../../rules/rrweb-compression.ts'
import type { BlockReader } from './block-reader.ts'

interface Entry {
  at: number
  /** The event as it goes out. */
  json: string
  /** Equal for repeats. */
  sameAs: string
}

const MAX_WAITING = 64_000_000

/** `delay` says how late the recorder was, so a repeat may differ in it. */
const withoutDelay = (event: RrwebEvent, text: string): string =>
  event.delay === undefined ? text : JSON.stringify({ ...event, delay: undefined })

async function readEntry(line: string, inflated: number): Promise<Entry> {
  const [windowId, event] = JSON.parse(line) as [string, RrwebEvent]
  const prefix = `[${JSON.stringify(windowId)},`
  const written = line.slice(prefix.length, -1)
  const plain = event.cv === undefined ? written : writeEvent(event, await inflateParts([event], inflated))
  const json =
    event.windowId === undefined
      ? `${plain.slice(0, -1)},"windowId":${JSON.stringify(windowId)}}`
      : JSON.stringify({ ...JSON.parse(plain), windowId })
  return { at: event.timestamp, json, sameAs: prefix + withoutDelay(event, plain) }
}

/** Leaves out what was there before at the same time; entries come sorted. */
function createRepeats() {
  let at = Number.NaN
  let seen = new Set<string>()
  return (entry: Entry): boolean => {
    if (entry.at !== at) {
      at = entry.at
      seen = new Set()
    }
    if (seen.has(entry.sameAs)) return true
    seen.add(entry.sameAs)
    return false
  }
}

async function readEntries(text: Buffer, inflated: number): Promise<Entry[]> {
  const entries: Entry[] = []
  for (const line of text.toString('utf8').split('\n')) {
    if (line !== '') entries.push(await readEntry(line, inflated))
  }
  return entries
}

/** How many of the waiting, sorted entries may go out before a block that begins at `next`. */
function ready(waiting: Entry[], next: number): number {
  const older = waiting.findIndex((entry) => entry.at >= next)
  const due = older < 0 ? waiting.length : older
  const size = waiting.reduce((sum, entry) => sum + entry.json.length, 0)
  return size > MAX_WAITING ? Math.max(due, waiting.length >> 1) : due
}

/** `blocks` by their first event; `inflated`: bytes that one event's compressed parts may become. */
export async function* exportEvents(reader: BlockReader, blocks: RecordingBlock[], inflated: number) {
  const isRepeat = createRepeats()
  let waiting: Entry[] = []
  let begun = false
  yield '['
  for (const [i, block] of blocks.entries()) {
    const entries = await readEntries(await reader.text(block), inflated)
    waiting = [...waiting, ...entries].sort((a, b) => a.at - b.at)
    const due = waiting.splice(0, ready(waiting, blocks[i + 1]?.firstAt ?? Number.POSITIVE_INFINITY))
    const out = due.filter((entry) => !isRepeat(entry)).map((entry) => entry.json)
    if (out.length === 0) continue
    yield `${begun ? ',' : ''}\n${out.join(',\n')}`
    begun = true
  }
  yield '\n]\n'
}

/**
 * All events of a recording as one JSON array, sorted by time, without repeats, each with its window. Streamed: blocks
 * are read in the order of their first events, and events older than the next block's first event are written. Only
 * events later than that wait; beyond MAX_WAITING characters of them the older half is written as it is, so that no
 * recording can fill memory.
 */
import type { RecordingBlock } from '../../model/recordings/recording.ts'
import { readBlock } from '../../rules/rrweb/block.ts'
import { inflateParts, writeEvent } from '../../rules/rrweb/compression.ts'
import type { RrwebEvent } from '../../rules/rrweb/event.ts'
import type { BlockText } from './block-reader.ts'

interface Entry {
  at: number
  /** The event as it is written. */
  json: string
  /** Equal for repeats. */
  sameAs: string
}

const MAX_WAITING = 64_000_000

/** `delay` is the lag of the recorder, so a repeat may differ in it. */
const withoutDelay = (event: RrwebEvent, text: string): string =>
  event.delay === undefined ? text : JSON.stringify({ ...event, delay: undefined })

async function readEntry(window: string, text: string, inflated: number): Promise<Entry> {
  const event = JSON.parse(text) as RrwebEvent
  const plain = event.cv === undefined ? text : writeEvent(event, await inflateParts([event], inflated))
  const json =
    event.windowId === undefined
      ? `${plain.slice(0, -1)},"windowId":${window}}`
      : JSON.stringify({ ...JSON.parse(plain), windowId: JSON.parse(window) })
  return { at: event.timestamp, json, sameAs: window + withoutDelay(event, plain) }
}

/** Drops events that came before at the same time; entries come sorted. */
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
  for (const { window, event } of readBlock(text)) {
    entries.push(await readEntry(window.toString(), event.toString(), inflated))
  }
  return entries
}

/** How many of the waiting, sorted entries may be written before a block that begins at `next`. */
function ready(waiting: Entry[], next: number): number {
  const older = waiting.findIndex((entry) => entry.at >= next)
  const due = older < 0 ? waiting.length : older
  const size = waiting.reduce((sum, entry) => sum + entry.json.length, 0)
  return size > MAX_WAITING ? Math.max(due, waiting.length >> 1) : due
}

/** When the block after each one begins; infinity for the last. */
const nextStarts = (blocks: RecordingBlock[]): Map<RecordingBlock, number> =>
  new Map(blocks.map((block, i) => [block, blocks[i + 1]?.firstAt ?? Number.POSITIVE_INFINITY]))

/** `blocks` by their first event, `texts` of these; `inflated`: maximum bytes of one event's decompressed parts. */
export async function* exportEvents(
  blocks: RecordingBlock[],
  texts: AsyncIterable<BlockText>,
  inflated: number,
): AsyncGenerator<string> {
  const starts = nextStarts(blocks)
  const isRepeat = createRepeats()
  let waiting: Entry[] = []
  let begun = false
  const write = (entries: Entry[]): string => {
    const out = entries.filter((entry) => !isRepeat(entry)).map((entry) => entry.json)
    const text = out.length === 0 ? '' : `${begun ? ',' : ''}\n${out.join(',\n')}`
    begun ||= out.length > 0
    return text
  }
  yield '['
  for await (const { block, text } of texts) {
    waiting = [...waiting, ...(await readEntries(text, inflated))].sort((a, b) => a.at - b.at)
    yield write(waiting.splice(0, ready(waiting, starts.get(block) ?? Number.POSITIVE_INFINITY)))
  }
  // Entries are left when the last block is lost.
  yield `${write(waiting)}\n]\n`
}

/**
 * One block of a recording. Its text has one line of JSON per event; the first event of a window is preceded by a
 * line with the window's id as a JSON string. Its bytes are raw deflate with the previous text as dictionary, so
 * that blocks of a few kilobytes compress as well as one stream (docs/decisions/0006-replay-blocks.md). A chain
 * of dependent blocks begins with our vocabulary and is kept short: to read one block, at most
 * CHAIN_BYTES of text and CHAIN_BLOCKS blocks have to be read before it.
 */
import { promisify } from 'node:util'
import { deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from 'node:zlib'
import { VOCABULARY } from './vocabulary.ts'

/** 6, the default, saves 3% of the bytes and takes 17% more time. */
const LEVEL = 5
/** Deflate's window. */
const WINDOW = 32 * 1024
const CHAIN_BYTES = 1_000_000
const CHAIN_BLOCKS = 100
/** Up to this size the thread pool costs more than it saves. */
const AT_ONCE = 4 * 1024
const QUOTE = 0x22
const LINE_FEED = 0x0a

const deflateLater = promisify(deflateRaw)
const inflateLater = promisify(inflateRaw)

/** What the next block of a chain depends on. */
export interface ChainEnd {
  /** The last block of the chain. */
  index: number
  /** The end of the chain's text. */
  tail: Buffer
  bytes: number
  blocks: number
}

/** The dictionary of the first block of a chain. */
export const CHAIN_START = VOCABULARY

export const extendTail = (tail: Buffer, text: Buffer): Buffer =>
  text.length >= WINDOW
    ? Buffer.from(text.subarray(-WINDOW))
    : Buffer.concat([tail.subarray(Math.max(0, tail.length + text.length - WINDOW)), text])

/** The chain with one more block; null starts one. */
export const extendChain = (end: ChainEnd | null, index: number, text: Buffer): ChainEnd => ({
  index,
  tail: extendTail(end?.tail ?? CHAIN_START, text),
  bytes: (end?.bytes ?? 0) + text.length,
  blocks: (end?.blocks ?? 0) + 1,
})

export const isFull = (end: ChainEnd): boolean => end.bytes >= CHAIN_BYTES || end.blocks >= CHAIN_BLOCKS

export async function packBlock(text: Buffer, dictionary: Buffer): Promise<Buffer> {
  const options = { level: LEVEL, memLevel: 9, dictionary }
  return text.length <= AT_ONCE ? deflateRawSync(text, options) : deflateLater(text, options)
}

export async function unpackBlock(bytes: Buffer, dictionary: Buffer): Promise<Buffer> {
  return bytes.length <= AT_ONCE ? inflateRawSync(bytes, { dictionary }) : inflateLater(bytes, { dictionary })
}

const END = Buffer.from('\n')

/** The text of events of one window, each as JSON on one line. */
export function blockText(windowId: string, events: (string | Buffer)[]): Buffer {
  const parts: Buffer[] = [Buffer.from(`${JSON.stringify(windowId)}\n`)]
  for (const event of events) parts.push(typeof event === 'string' ? Buffer.from(event) : event, END)
  return Buffer.concat(parts)
}

/** The events of a block with the JSON of the window that each belongs to. */
export function* readBlock(text: Buffer): Generator<{ window: Buffer; event: Buffer }> {
  let window: Buffer = END
  let start = 0
  while (start < text.length) {
    const end = text.indexOf(LINE_FEED, start)
    const line = text.subarray(start, end < 0 ? text.length : end)
    if (line[0] === QUOTE) window = line
    else yield { window, event: line }
    start += line.length + 1
  }
}

const LINE_START = Buffer.from('[')
const LINE_MIDDLE = Buffer.from(',')
const LINE_END = Buffer.from(']\n')

/** The block as players read it: `["<window id>",<event>]` and a line feed for each event. */
export function blockLines(text: Buffer): Buffer {
  const parts: Buffer[] = []
  for (const { window, event } of readBlock(text)) parts.push(LINE_START, window, LINE_MIDDLE, event, LINE_END)
  return Buffer.concat(parts)
}

/** The length of blockLines' result for events of one window. */
export const linesLength = (text: Buffer, windowId: string, events: number): number => {
  const window = Buffer.byteLength(JSON.stringify(windowId))
  return text.length - window - 1 + events * (window + 3)
}

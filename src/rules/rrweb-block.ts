/**
 * The bytes of one block of a recording. Its text is a line for each event, `["<window id>",<event>]` and a line
 * feed; its bytes are raw deflate with the text before it as dictionary, so that blocks of a few kilobytes compress
 * as if they were one stream (docs/decisions/0006-replay-blocks.md). A chain of blocks that build on one another is
 * kept short: to read one block, at most CHAIN_BYTES of text and CHAIN_BLOCKS blocks are read before it.
 */
import { promisify } from 'node:util'
import { deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from 'node:zlib'

const LEVEL = 6
/** What deflate can look back on. */
const WINDOW = 32 * 1024
const CHAIN_BYTES = 1_000_000
const CHAIN_BLOCKS = 100
/** Up to here a trip to the thread pool costs more than it saves. */
const AT_ONCE = 4 * 1024

const deflateLater = promisify(deflateRaw)
const inflateLater = promisify(inflateRaw)

/** What the next block of a chain builds on. */
export interface ChainEnd {
  /** The last block of the chain. */
  index: number
  /** The end of the chain's text. */
  tail: Buffer
  bytes: number
  blocks: number
}

export const extendTail = (tail: Buffer | null, text: Buffer): Buffer =>
  text.length >= WINDOW || tail === null
    ? Buffer.from(text.subarray(-WINDOW))
    : Buffer.concat([tail.subarray(Math.max(0, tail.length + text.length - WINDOW)), text])

/** The chain with one block more; null begins one. */
export const extendChain = (end: ChainEnd | null, index: number, text: Buffer): ChainEnd => ({
  index,
  tail: extendTail(end?.tail ?? null, text),
  bytes: (end?.bytes ?? 0) + text.length,
  blocks: (end?.blocks ?? 0) + 1,
})

export const isFull = (end: ChainEnd): boolean => end.bytes >= CHAIN_BYTES || end.blocks >= CHAIN_BLOCKS

export async function packBlock(text: Buffer, dictionary: Buffer | null): Promise<Buffer> {
  const options = { level: LEVEL, memLevel: 9, ...(dictionary ? { dictionary } : {}) }
  return text.length <= AT_ONCE ? deflateRawSync(text, options) : deflateLater(text, options)
}

export async function unpackBlock(bytes: Buffer, dictionary: Buffer | null): Promise<Buffer> {
  const options = dictionary ? { dictionary } : {}
  return bytes.length <= AT_ONCE ? inflateRawSync(bytes, options) : inflateLater(bytes, options)
}

/** The lines of these events, each written as JSON. */
export function blockLines(windowId: string, events: string[]): Buffer {
  const prefix = `[${JSON.stringify(windowId)},`
  return Buffer.from(events.map((event) => `${prefix}${event}]\n`).join(''))
}

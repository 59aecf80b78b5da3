/**
 * Gunzip of bytes that nobody vouches for. Little is inflated on the spot; what is more comes piece by piece from the
 * thread pool, and each piece is shown to the caller, who may end it all by throwing, before the next one is made.
 */
import { createGunzip, gunzipSync } from 'node:zlib'
import { ByteCollector } from './byte-collector.ts'

/** Up to here inflating on the spot is cheaper than a trip to the thread pool: of the input, and of the output. */
const INPUT_AT_ONCE = 64 * 1024
const OUTPUT_AT_ONCE = 256 * 1024
const PIECE = 128 * 1024

const isTooMuch = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'

/** What the last four bytes say about the length of the text; they may lie. */
const saidLength = (bytes: Buffer): number => (bytes.length < 4 ? 0 : bytes.readUInt32LE(bytes.length - 4))

/** What is inflated on the spot; null when that is too much. Throws what zlib throws. */
export function inflateAtOnce(bytes: Buffer, limit: number): Buffer | null {
  if (bytes.length > INPUT_AT_ONCE || saidLength(bytes) > OUTPUT_AT_ONCE) return null
  try {
    return gunzipSync(bytes, { maxOutputLength: Math.max(1, Math.min(limit, OUTPUT_AT_ONCE)) })
  } catch (error) {
    if (isTooMuch(error)) return null
    throw error
  }
}

/** `see` is shown all that is inflated so far, after each piece, and the length of that piece. */
export async function inflateInPieces(
  bytes: Buffer,
  see: (all: Buffer, added: number) => void | Promise<void>,
): Promise<Buffer> {
  const gunzip = createGunzip({ chunkSize: PIECE })
  gunzip.end(bytes)
  const collected = new ByteCollector(saidLength(bytes))
  for await (const piece of gunzip as AsyncIterable<Buffer>) {
    collected.add(piece)
    const seen = see(collected.bytes, piece.length)
    if (seen) await seen
  }
  return collected.take()
}

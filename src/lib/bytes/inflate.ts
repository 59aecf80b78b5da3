/**
 * Gunzips untrusted bytes. Small inputs are inflated synchronously; larger ones come in pieces from the thread pool. The
 * caller sees each piece before the next one is made, and stops the inflation by throwing.
 */
import { createGunzip, gunzipSync } from 'node:zlib'
import { ByteCollector } from './byte-collector.ts'

/** Up to these sizes of input and output, inflating synchronously is cheaper than using the thread pool. */
const MAX_SYNC_INPUT = 64 * 1024
const MAX_SYNC_OUTPUT = 256 * 1024
const PIECE = 128 * 1024

const isTooMuch = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'

/** The uncompressed length that gzip's last four bytes claim; it may be wrong. */
const claimedLength = (bytes: Buffer): number => (bytes.length < 4 ? 0 : bytes.readUInt32LE(bytes.length - 4))

/** Inflates synchronously; null when input or output is too large for that. Throws what zlib throws. */
export function inflateAtOnce(bytes: Buffer, limit: number): Buffer | null {
  if (bytes.length > MAX_SYNC_INPUT || claimedLength(bytes) > MAX_SYNC_OUTPUT) return null
  try {
    return gunzipSync(bytes, { maxOutputLength: Math.max(1, Math.min(limit, MAX_SYNC_OUTPUT)) })
  } catch (error) {
    if (isTooMuch(error)) return null
    throw error
  }
}

/** After each piece `onPiece` gets all bytes inflated so far and the length of that piece. */
export async function inflateInPieces(
  bytes: Buffer,
  onPiece: (all: Buffer, added: number) => void | Promise<void>,
): Promise<Buffer> {
  const gunzip = createGunzip({ chunkSize: PIECE })
  gunzip.end(bytes)
  const collected = new ByteCollector(claimedLength(bytes))
  try {
    for await (const piece of gunzip as AsyncIterable<Buffer>) {
      collected.add(piece)
      const pending = onPiece(collected.bytes, piece.length)
      if (pending) await pending
    }
  } catch (error) {
    collected.discard()
    throw error
  }
  return collected.take()
}

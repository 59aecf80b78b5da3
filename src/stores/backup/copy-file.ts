/** Copies files piece by piece, so that none is ever in memory as a whole, and computes their checksums on the way. */
import { createHash } from 'node:crypto'
import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'

const PIECE = 256 * 1024

export interface Copied {
  bytes: number
  sha256: string
}

async function readPieces(
  from: FileHandle,
  length: number,
  signal: AbortSignal | undefined,
  take: (piece: Buffer) => Promise<unknown>,
): Promise<Copied> {
  const hash = createHash('sha256')
  const buffer = Buffer.allocUnsafe(PIECE)
  let bytes = 0
  while (bytes < length) {
    signal?.throwIfAborted()
    const { bytesRead } = await from.read(buffer, 0, Math.min(PIECE, length - bytes), bytes)
    if (bytesRead === 0) break
    const piece = buffer.subarray(0, bytesRead)
    hash.update(piece)
    await take(piece)
    bytes += bytesRead
  }
  return { bytes, sha256: hash.digest('hex') }
}

async function opened<T>(path: string, flags: string, work: (file: FileHandle) => Promise<T>): Promise<T> {
  const handle = await open(path, flags, 0o600)
  try {
    return await work(handle)
  } finally {
    await handle.close()
  }
}

async function openedIfThere<T>(path: string, work: (file: FileHandle) => Promise<T>): Promise<T | null> {
  try {
    return await opened(path, 'r', work)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/**
 * Copies the first `length` bytes into a new file, synced to disk when it resolves, and makes its folder. Fewer when
 * the file is shorter; null when it does not exist.
 */
export const copyFile = (
  from: string,
  to: string,
  { length = Number.POSITIVE_INFINITY, signal }: { length?: number; signal?: AbortSignal | undefined } = {},
): Promise<Copied | null> =>
  openedIfThere(from, async (source) => {
    await mkdir(dirname(to), { recursive: true, mode: 0o700 })
    return opened(to, 'wx', async (target) => {
      const copied = await readPieces(source, length, signal, (piece) => target.writeFile(piece))
      await target.datasync()
      return copied
    })
  })

export const hashFile = (path: string, signal?: AbortSignal): Promise<Copied> =>
  opened(path, 'r', (file) => readPieces(file, Number.POSITIVE_INFINITY, signal, async () => {}))

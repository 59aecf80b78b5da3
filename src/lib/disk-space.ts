/** How much room a disk has left, looked at every few seconds so that asking costs nothing. */
import { statfs } from 'node:fs/promises'

const EVERY_MS = 5_000

export interface DiskWatch {
  /** Free bytes when last looked; infinite until the first look. */
  free(): number
  stop(): void
}

/** `failed` is told when the disk cannot be looked at; what was seen before stays. */
export async function watchDisk(path: string, failed: (error: unknown) => void): Promise<DiskWatch> {
  let free = Number.POSITIVE_INFINITY
  const look = async (): Promise<void> => {
    try {
      const { bavail, bsize } = await statfs(path)
      free = bavail * bsize
    } catch (error) {
      failed(error)
    }
  }
  await look()
  const timer = setInterval(() => void look(), EVERY_MS)
  timer.unref()
  return { free: () => free, stop: () => clearInterval(timer) }
}

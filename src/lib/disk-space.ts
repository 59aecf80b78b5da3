/** Free space of a disk, measured every few seconds so that reading it costs nothing. */
import { statfs } from 'node:fs/promises'

const EVERY_MS = 5_000

export interface DiskWatch {
  /** Free bytes at the last measurement; infinite before the first one. */
  free(): number
  stop(): void
}

/** `failed` is called when a measurement fails; the previous value stays. */
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

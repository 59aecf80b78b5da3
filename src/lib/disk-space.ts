/**
 * Free space of a disk, measured every few seconds so that reading it costs nothing, and whether writes fail for lack of
 * it: a quota, another disk below the folder or a threshold of 0 do not show in what is free.
 */
import { statfs } from 'node:fs/promises'
import { isDiskFull } from './disk-full.ts'
import { atMostEvery } from './time/at-most-every.ts'
import type { Clock } from './time/clock.ts'
import { MINUTE } from './time/time.ts'

const EVERY_MS = 5_000

/** Something is written each minute at least, so a disk that is still full has failed within this time. */
const FULL_FOR_MS = 2 * MINUTE

export interface DiskWatch {
  /** Free bytes at the last measurement; infinite before the first one. */
  free(): number
  /** Takes note when the error, or what caused it, is that of a full disk; true when it is. */
  noteFailure(error: unknown): boolean
  /** Whether a write has just failed for lack of space. */
  isFull(): boolean
  stop(): void
}

export interface DiskWatchParts {
  clock: Clock
  /** A measurement failed; the previous value stays. */
  failed: (error: unknown) => void
  /** A write failed for lack of space; called at most once a minute. */
  full: (error: unknown, free: number) => void
}

/** Bytes that can still be written to the disk of this path. */
export async function freeSpace(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path)
  return bavail * bsize
}

export async function watchDisk(path: string, { clock, failed, full }: DiskWatchParts): Promise<DiskWatch> {
  let free = Number.POSITIVE_INFINITY
  let fullAt = Number.NEGATIVE_INFINITY
  const mayTell = atMostEvery(MINUTE, clock)
  const look = async (): Promise<void> => {
    try {
      free = await freeSpace(path)
    } catch (error) {
      failed(error)
    }
  }
  await look()
  const timer = setInterval(() => void look(), EVERY_MS)
  timer.unref()
  return {
    free: () => free,
    noteFailure(error) {
      if (!isDiskFull(error)) return false
      fullAt = clock.steady()
      if (mayTell()) full(error, free)
      return true
    },
    isFull: () => clock.steady() - fullAt < FULL_FOR_MS,
    stop: () => clearInterval(timer),
  }
}

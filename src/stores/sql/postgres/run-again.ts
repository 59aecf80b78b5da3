/**
 * Transactions that ran into another one: the engine rolls one of them back, and here it is run again. What it did is
 * gone by then, so that the second run sees what the other has committed.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { unavailable } from '../../../lib/errors.ts'

/** How often such a transaction is run in all, by the engine's code of the error. */
const RUNS: Record<string, number> = {
  // Another has changed what it has read.
  '40001': 5,
  // Two wait for each other.
  '40P01': 5,
  // Another has stored the same key: the second run finds it. If not, the error is the caller's.
  '23505': 2,
}

const PAUSE_MS = 5
const RETRY_SECONDS = 1

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code)

/** Longer each time, and of different length for each, so that they do not meet again. */
const pauseAfter = (run: number): Promise<void> => sleep(Math.random() * PAUSE_MS * 2 ** run)

/** Runs `work` until it meets no other, at most five times. */
export async function runAgain<T>(work: () => Promise<T>): Promise<T> {
  for (let run = 1; ; run++) {
    try {
      return await work()
    } catch (error) {
      const runs = RUNS[codeOf(error)]
      if (runs === undefined) throw error
      if (run >= runs) {
        if (codeOf(error) === '23505') throw error
        throw unavailable('Others are changing the same data. Try again.', RETRY_SECONDS, error)
      }
      await pauseAfter(run)
    }
  }
}

/**
 * Group commit: writes that arrive at about the same time share a transaction, because it is the commit (fsync) that
 * takes the time. A write resolves after the commit. If one throws, each is retried in its own transaction, so that only
 * that one fails; so a write may run twice and must do nothing but write to the store.
 */
import { Batcher, type BatcherOptions } from './batcher.ts'

type Write<Tx, T> = (tx: Tx) => Promise<T>
type Transaction<Tx> = (work: Write<Tx, void>) => Promise<void>

/** How many writes share a transaction, how many may wait, how long the first one waits for others. */
export type GroupCommitLimits = Omit<BatcherOptions<unknown>, 'flush' | 'weigh'>

/** The batcher behind it, for callers with their own limits. */
export const writeBatcher = <Tx>(transaction: Transaction<Tx>, limits: GroupCommitLimits): Batcher<Write<Tx, void>> =>
  new Batcher<Write<Tx, void>>({
    flush: (writes) =>
      transaction(async (tx) => {
        for (const write of writes) await write(tx)
      }),
    weigh: () => 1,
    ...limits,
  })

/** Writes per transaction; other writers wait for the store meanwhile. */
const AT_ONCE = 100

export function groupCommits<Tx>(transaction: Transaction<Tx>): <T>(write: Write<Tx, T>) => Promise<T> {
  const batcher = writeBatcher(transaction, {
    maxWeight: AT_ONCE,
    maxQueued: Number.POSITIVE_INFINITY,
    waitMs: 1,
    full: () => new Error('Writes are never refused.'),
  })
  return async <T>(write: Write<Tx, T>): Promise<T> => {
    const given: T[] = []
    await batcher.add(async (tx) => {
      given[0] = await write(tx)
    })
    return given[0] as T
  }
}

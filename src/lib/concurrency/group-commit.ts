/**
 * Writes that come at about the same time share a transaction: it is the commit, which waits for the disk, that takes
 * the time. Each is done when the commit has held. When one of them throws, each is done again in a transaction of its
 * own, so that only this one fails: a write may be begun twice, and does nothing but write.
 */
import { Batcher, type BatcherOptions } from './batcher.ts'

type Write<Tx, T> = (tx: Tx) => Promise<T>
type Transaction<Tx> = (work: Write<Tx, void>) => Promise<void>

/** How many writes share a transaction, how many may wait, how long the first of them waits for company. */
export type GroupCommitLimits = Omit<BatcherOptions<unknown>, 'flush' | 'weigh'>

/** The batcher behind it, for who has limits of their own. */
export const writeBatcher = <Tx>(transaction: Transaction<Tx>, limits: GroupCommitLimits): Batcher<Write<Tx, void>> =>
  new Batcher<Write<Tx, void>>({
    flush: (writes) =>
      transaction(async (tx) => {
        for (const write of writes) await write(tx)
      }),
    weigh: () => 1,
    ...limits,
  })

/** Writes of one transaction: others wait for the store meanwhile. */
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

/** Removes many rows a portion at a time, each in a transaction of the caller's: others write in between. */
import { setImmediate as nextTurn } from 'node:timers/promises'

export const PORTION = 5_000

/** `remove` takes so many at most and says how many there were; it is called until there are fewer. */
export async function removeInPortions(
  remove: (limit: number) => Promise<number>,
  signal?: AbortSignal,
): Promise<void> {
  while ((await remove(PORTION)) === PORTION) {
    signal?.throwIfAborted()
    await nextTurn()
  }
}

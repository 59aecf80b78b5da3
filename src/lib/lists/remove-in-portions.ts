/** Removes many rows in portions, each in its own transaction, so that others can write in between. */
import { setImmediate as nextTurn } from 'node:timers/promises'

export const PORTION = 5_000

/** `remove` removes up to `limit` rows and returns how many; it is called until it removes fewer. */
export async function removeInPortions(
  remove: (limit: number) => Promise<number>,
  signal?: AbortSignal,
): Promise<void> {
  while ((await remove(PORTION)) === PORTION) {
    signal?.throwIfAborted()
    await nextTurn()
  }
}

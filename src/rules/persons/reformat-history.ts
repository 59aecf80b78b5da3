/**
 * Brings the property history of an earlier version, which had a row for each key, into the present format, in portions,
 * while the server runs. Both are read alike: interrupted, it has changed no answer, and goes through all of it again.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SqlStores } from '../../model/stores.ts'

export async function reformatHistory(stores: Pick<SqlStores, 'relaxed'>, signal: AbortSignal): Promise<void> {
  const reformat = (after: number) => stores.relaxed((tx) => tx.persons.reformatChanges(after))
  for (let after = await reformat(0); after !== null; after = await reformat(after)) {
    signal.throwIfAborted()
    await nextTurn()
  }
}

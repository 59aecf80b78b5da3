/**
 * Brings the property history of an earlier version, which had a row for each key, into the present format, in portions,
 * while the server runs. Both are read alike: interrupted, it has changed no answer, and goes through all of it again.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { SqlStores } from '../../model/stores.ts'

/** Nobody waits for it: requests come first. */
const PAUSE_MS = 5

export async function reformatHistory(stores: Pick<SqlStores, 'relaxed'>, signal: AbortSignal): Promise<void> {
  const reformat = (after: number) => stores.relaxed((tx) => tx.persons.reformatChanges(after))
  for (let after = await reformat(0); after !== null; after = await reformat(after)) {
    signal.throwIfAborted()
    await sleep(PAUSE_MS)
  }
}

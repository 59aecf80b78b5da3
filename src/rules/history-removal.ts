/**
 * Removing the property history of a deleted person: so much of it in the transaction that deletes the person, which is
 * all of nearly everybody's. What is more, and may be a million changes, goes by a job in portions.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { CLEAR_HISTORY } from '../model/job.ts'
import type { Person } from '../model/person.ts'
import type { SqlStores, SqlWriters } from '../model/stores.ts'

const PORTION = 5_000

export async function removeHistory(tx: SqlWriters, { id, projectId }: Person, now: number): Promise<void> {
  if ((await tx.persons.removeHistory(id, PORTION)) < PORTION) return
  await tx.jobs.add({ kind: CLEAR_HISTORY, key: String(id), projectId, payload: { personId: id }, runAt: now })
}

/** What is left; each portion in a transaction of its own. */
export async function clearHistory(
  stores: Pick<SqlStores, 'transaction'>,
  personId: number,
  signal: AbortSignal,
): Promise<void> {
  while ((await stores.transaction((tx) => tx.persons.removeHistory(personId, PORTION))) === PORTION) {
    signal.throwIfAborted()
    await nextTurn()
  }
}

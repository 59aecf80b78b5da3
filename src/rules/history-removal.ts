/**
 * Removing the property history of a deleted person: so much of it in the transaction that deletes the person, which is
 * all of nearly everybody's. What is more, and may be a million changes, goes by a job in portions.
 */
import { PORTION, removeInPortions } from '../lib/remove-in-portions.ts'
import { CLEAR_HISTORY } from '../model/job.ts'
import type { Person } from '../model/person.ts'
import type { SqlStores, SqlWriters } from '../model/stores.ts'

export async function removeHistory(tx: SqlWriters, { id, projectId }: Person, now: number): Promise<void> {
  if ((await tx.persons.removeHistory(id, PORTION)) < PORTION) return
  await tx.jobs.add({ kind: CLEAR_HISTORY, key: String(id), projectId, payload: { personId: id }, runAt: now })
}

/** What is left. */
export const clearHistory = (
  stores: Pick<SqlStores, 'transaction'>,
  personId: number,
  signal: AbortSignal,
): Promise<void> =>
  removeInPortions((limit) => stores.transaction((tx) => tx.persons.removeHistory(personId, limit)), signal)

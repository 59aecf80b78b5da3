/**
 * Removing the property history of deleted persons: so much of it in the transaction that deletes them, which is all of
 * nearly everybody's. What is more, and may be a million changes, goes by a job for each person, in portions.
 */
import { PORTION, removeInPortions } from '../lib/remove-in-portions.ts'
import { CLEAR_HISTORY } from '../model/job.ts'
import type { Person } from '../model/person.ts'
import type { SqlStores, SqlWriters } from '../model/stores.ts'

/** Of all persons of a request together: the transaction keeps everybody else from writing. */
export const HISTORY_AT_ONCE = PORTION

/** Removes up to `room` changes; how many more may go in this transaction. */
export async function removeHistory(
  tx: SqlWriters,
  { id, projectId }: Person,
  room: number,
  now: number,
): Promise<number> {
  const removed = room > 0 ? await tx.persons.removeHistory(id, room) : 0
  if (removed < room) return room - removed
  await tx.jobs.add({ kind: CLEAR_HISTORY, key: String(id), projectId, payload: { personId: id }, runAt: now })
  return 0
}

/** What is left. */
export const clearHistory = (
  stores: Pick<SqlStores, 'transaction'>,
  personId: number,
  signal: AbortSignal,
): Promise<void> =>
  removeInPortions((limit) => stores.transaction((tx) => tx.persons.removeHistory(personId, limit)), signal)

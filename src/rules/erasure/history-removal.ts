/**
 * Removes the property history of deleted persons: up to a limit in the transaction that deletes them, which is all of
 * it for nearly every person. The rest, which may be a million changes, is removed by a job per person, in portions.
 * For a person that stays when its events are deleted, the history is forgotten in the same way. No portion needs to be
 * durable at once: the caller then records the completion durably, which makes the portions before it durable too.
 */
import { PORTION, removeInPortions } from '../../lib/lists/remove-in-portions.ts'
import { CLEAR_HISTORY } from '../../model/job.ts'
import type { Person, StoredChange } from '../../model/persons/person.ts'
import type { SqlStores, SqlWriters } from '../../model/stores.ts'
import { truncateLog } from './truncate-log.ts'

/** For all persons of a request together: the transaction blocks all other writers. */
export const HISTORY_AT_ONCE = PORTION

/** Removes up to `room` changes; returns how many more may be removed in this transaction. */
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

/** Removes the rest. */
export const clearHistory = (
  stores: Pick<SqlStores, 'relaxed'>,
  personId: number,
  signal?: AbortSignal,
): Promise<void> =>
  removeInPortions((limit) => stores.relaxed((tx) => tx.persons.removeHistory(personId, limit)), signal)

/** The same for the job: no run of deletions may follow that would truncate the log. */
export async function finishHistory(
  stores: Pick<SqlStores, 'relaxed' | 'truncateLog'>,
  personId: number,
  signal: AbortSignal,
): Promise<void> {
  await clearHistory(stores, personId, signal)
  await truncateLog(stores, signal)
}

/** The last change of a key of any kind, and the last one that was not `$set_once`. */
interface Last {
  any: StoredChange
  set: StoredChange | null
}

const later = (a: StoredChange | null | undefined, b: StoredChange): StoredChange =>
  a && (a.at - b.at || a.seq - b.seq || a.id - b.id) > 0 ? a : b

/** Ids of changes that are superseded once these changes are added. */
function superseded(last: Map<string, Last>, changes: StoredChange[]): number[] {
  const ids: number[] = []
  for (const change of changes) {
    const before = last.get(change.key)
    const any = later(before?.any, change)
    const set = change.once ? (before?.set ?? null) : later(before?.set, change)
    last.set(change.key, { any, set })
    for (const one of new Set([before?.any, before?.set, change])) {
      if (one && one !== any && one !== set) ids.push(one.id)
    }
  }
  return ids
}

/**
 * Forgets the past of a person that stays: of the changes up to this `seq` only those are kept that made its current
 * properties (the last of each key, and the last that was not `$set_once`), without the event they came from. Reads the
 * history in portions; if interrupted, it has removed nothing that is needed, and can be repeated.
 */
export async function forgetHistory(
  stores: Pick<SqlStores, 'relaxed'>,
  personId: number,
  upToSeq: number,
  signal?: AbortSignal,
): Promise<void> {
  const last = new Map<string, Last>()
  let after: StoredChange | null = null
  const forgetSome = (limit: number) =>
    stores.relaxed(async (tx) => {
      const changes: StoredChange[] = await tx.persons.changesAfter(personId, after, limit)
      const old = changes.filter(({ seq }) => seq <= upToSeq)
      const gone = superseded(last, old)
      await tx.persons.removeChanges(gone)
      const removed = new Set(gone)
      await tx.persons.forgetEventsOf(old.map(({ id }) => id).filter((id) => !removed.has(id)))
      after = changes.at(-1) ?? after
      return changes.length
    })
  await removeInPortions(forgetSome, signal)
}

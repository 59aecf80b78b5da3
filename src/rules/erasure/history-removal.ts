/**
 * Removes the property history of deleted persons: up to a limit in the transaction that deletes them, which is all of
 * it for nearly every person. The rest, which may be a million changes, is removed by a job per person, in portions.
 * For a person that stays when its events are deleted, the history is forgotten in the same way. No portion needs to be
 * durable at once: the caller then records the completion durably, which makes the portions before it durable too.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { OverlayMap } from '../../lib/lists/overlay-map.ts'
import { PORTION, removeInPortions } from '../../lib/lists/remove-in-portions.ts'
import { CLEAR_HISTORY } from '../../model/job.ts'
import type { ChangePlace, Person, StoredChange } from '../../model/persons/person.ts'
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

type Place = Pick<StoredChange, 'id' | 'at' | 'seq'>

/** The last change of a key of any kind, and the last one that was not `$set_once`. */
interface Last {
  any: Place
  set: Place | null
}

const later = (a: Place | null | undefined, b: Place): Place =>
  a && (a.at - b.at || a.seq - b.seq || a.id - b.id) > 0 ? a : b

/** Which keys each change loses when these changes are added; none where it only forgets its event. */
function superseded(last: Map<string, Last>, changes: StoredChange[]): Map<number, Set<string>> {
  const lost = new Map<number, Set<string>>()
  const lose = (id: number, keys: string[]): void => {
    const all = lost.get(id) ?? new Set()
    for (const key of keys) all.add(key)
    lost.set(id, all)
  }
  for (const { id, at, seq, set, once, removed, eventUuid } of changes) {
    const place: Place = { id, at, seq }
    if (eventUuid !== null) lose(id, [])
    const note = (key: string, isOnce: boolean): void => {
      const before = last.get(key)
      const any = later(before?.any, place)
      const ofSet = isOnce ? (before?.set ?? null) : later(before?.set, place)
      last.set(key, { any, set: ofSet })
      for (const one of new Set([before?.any, before?.set, place])) {
        if (one && one !== any && one !== ofSet) lose(one.id, [key])
      }
    }
    for (const key of Object.keys(set)) note(key, false)
    for (const key of Object.keys(once)) note(key, true)
    for (const key of removed) note(key, false)
  }
  return lost
}

/** Which changes are past: up to this `seq`, or before this instant. */
export type Past = { upToSeq: number } | { before: number }

const isPast = (past: Past, { seq, at }: StoredChange): boolean =>
  'upToSeq' in past ? seq <= past.upToSeq : at < past.before

/**
 * Forgets the past of a person that stays: of those changes only what made its properties as they were at its end is
 * kept (the last change of each key, and the last that was not `$set_once`), without the event it came from. Reads the
 * history in portions; if interrupted, it has removed nothing that is needed, and can be repeated.
 */
export async function forgetHistory(
  stores: Pick<SqlStores, 'relaxed'>,
  personId: number,
  past: Past,
  signal?: AbortSignal,
): Promise<void> {
  const last = new Map<string, Last>()
  const forgetAfter = async (after: ChangePlace | null): Promise<ChangePlace | null> => {
    const { end, known } = await stores.relaxed(async (tx) => {
      const changes = await tx.persons.changesAfter(personId, after, HISTORY_AT_ONCE)
      const known = new OverlayMap(last)
      const lost = superseded(
        known,
        changes.filter((change) => isPast(past, change)),
      )
      if (lost.size > 0) await tx.persons.trimChanges([...lost].map(([id, keys]) => ({ id, keys })))
      return { end: changes.at(-1), known }
    })
    known.merge()
    // They come in order of time.
    return end && !('before' in past && end.at >= past.before) ? end : null
  }
  for (let after = await forgetAfter(null); after !== null; after = await forgetAfter(after)) {
    signal?.throwIfAborted()
    await nextTurn()
  }
}

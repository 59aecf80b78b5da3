/**
 * Merges may be undone in any order. What a later merge into the same person keeps, and what the person is, is told here
 * as if the one that is undone had never been: when it was made and seen, and values that the later one brought as well.
 */
import type { Person } from '../../../model/persons/person.ts'
import type { KeptMerge } from '../../../model/persons/undo.ts'
import type { SqlWriters } from '../../../model/stores.ts'
import { type MergedState, mergedState } from '../merge-persons.ts'

export interface Without {
  /** The person's own state, or what it would be. */
  state: MergedState
  /** Values that it would have got later, of keys that the undone merge gave it. */
  broughtLater: Map<string, unknown>
}

/** What is still as the merge left it becomes what it would be; what has changed since stays. */
const replaced = (present: MergedState, left: MergedState, becomes: MergedState): MergedState => ({
  isIdentified: present.isIdentified === left.isIdentified ? becomes.isIdentified : present.isIdentified,
  createdAt: present.createdAt === left.createdAt ? becomes.createdAt : present.createdAt,
  lastSeenAt: present.lastSeenAt === left.lastSeenAt ? becomes.lastSeenAt : present.lastSeenAt,
})

async function laterMerge(tx: SqlWriters, activityId: string, { seq }: KeptMerge): Promise<KeptMerge | null> {
  const found = await tx.undo.find(activityId)
  return found?.kept.kind === 'merge' && found.kept.seq > seq ? found.kept : null
}

/** Rewrites what later merges keep; one after the other, as each may hold a megabyte. */
export async function withoutMerge(tx: SqlWriters, person: Person, undone: KeptMerge): Promise<Without> {
  const broughtLater = new Map<string, unknown>()
  let left = mergedState(undone.stayed, undone.gone)
  let becomes: MergedState = undone.stayed
  for (const activityId of await tx.undo.mergesInto(person.projectId, person.id)) {
    const later = await laterMerge(tx, activityId, undone)
    if (!later) continue
    const theirs = later.gone.properties
    const brought = undone.gained.filter((key) => !broughtLater.has(key) && Object.hasOwn(theirs, key))
    for (const key of brought) broughtLater.set(key, theirs[key])
    const stayed = replaced(later.stayed, left, becomes)
    const gained = [...new Set([...later.gained, ...brought])]
    await tx.undo.replace(activityId, { ...later, stayed, gained })
    left = mergedState(later.stayed, later.gone)
    becomes = mergedState(stayed, later.gone)
  }
  return { state: replaced(person, left, becomes), broughtLater }
}

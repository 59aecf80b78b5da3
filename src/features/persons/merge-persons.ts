/**
 * Merges two persons inside a transaction, as capture merges them: ids, history, recordings and log of one become the
 * other's, where both have a property that of the one that stays counts, and it is as old as the older one.
 */
import { invalid } from '../../lib/errors.ts'
import type { Actor } from '../../model/accounts/caller.ts'
import type { Person, PersonRef } from '../../model/persons/person.ts'
import type { KeptMerge } from '../../model/persons/undo.ts'
import type { SqlWriters } from '../../model/stores.ts'
import { checkSize } from '../../rules/persons/identity.ts'
import { gainedProperties, MOST_MOVED_IDS, mergeChange } from '../../rules/persons/merge.ts'
import { projectionOf, sendPeopleChange } from '../../rules/persons/people-change.ts'
import { noteOnPerson } from './person-edit.ts'
import { found } from './person-id.ts'

/** Who stays, and who becomes a part of it. */
export interface Pair {
  stays: Person
  goes: Person
}

/** Of the history, the recordings or the log of a person: a merge that moves more cannot be undone. */
const MOST_KEPT = 5_000

const laterOf = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b)

/** What a merge makes of two persons besides their ids and properties. */
export type MergedState = KeptMerge['stayed']

export const mergedState = (stays: MergedState, goes: MergedState): MergedState => ({
  isIdentified: true,
  createdAt: Math.min(stays.createdAt, goes.createdAt),
  lastSeenAt: laterOf(stays.lastSeenAt, goes.lastSeenAt),
})

/** What a pair is together. */
export function joinPersons({ stays, goes }: Pair): Person {
  const gained = gainedProperties(stays.properties, goes.properties)
  return {
    ...stays,
    properties: { ...stays.properties, ...Object.fromEntries(gained) },
    ...mergedState(stays, goes),
    distinctIds: [...stays.distinctIds, ...goes.distinctIds],
  }
}

/** What a pair becomes when it is merged by a request; throws where that may not be. */
export function mergedPerson(pair: Pair): Person {
  const { stays, goes } = pair
  if (stays.id === goes.id) throw invalid('A person cannot be merged with itself.', 'person')
  if (goes.distinctIds.length > MOST_MOVED_IDS) {
    throw invalid(`A person with more than ${MOST_MOVED_IDS} distinct ids cannot be merged into another.`, 'person')
  }
  const joined = joinPersons(pair)
  checkSize(joined.properties)
  return joined
}

/** Both as they are until the transaction ends; locked in the order of their ids, as capture does. */
export async function findPair(tx: SqlWriters, projectId: number, stays: PersonRef, goes: PersonRef): Promise<Pair> {
  const idOf = async (ref: PersonRef) => found(await tx.persons.find(projectId, ref)).id
  const [staying, going] = [await idOf(stays), await idOf(goes)]
  const persons = new Map<number, Person>()
  for (const id of [staying, going].sort((a, b) => a - b)) {
    persons.set(id, found(await tx.persons.findToChange(projectId, { id })))
  }
  return { stays: persons.get(staying) as Person, goes: persons.get(going) as Person }
}

/** Moves the rows; what the event store and the log are told is left to the caller. */
export async function absorbPerson(
  tx: SqlWriters,
  { stays, goes }: Pair,
  { id, projectId, properties, isIdentified, createdAt, lastSeenAt }: Person,
  { seq, now }: { seq: number; now: number },
): Promise<void> {
  await tx.intake.absorb(projectId, goes.id, stays.id)
  const row = { id, properties: JSON.stringify(properties), isIdentified, createdAt, lastSeenAt }
  await tx.intake.savePersons([row], now)
  // Every key of the other is recorded again, so that replaying the joined history gives the merged properties.
  const set = Object.fromEntries(Object.keys(goes.properties).map((key) => [key, properties[key]]))
  const change = { personId: id, set, once: {}, removed: [], at: now, seq, eventUuid: null }
  await tx.persons.addHistory(projectId, [change])
}

/** Returns the person that stays, and the id of the entry in its log. */
export async function mergePersons(
  tx: SqlWriters,
  actor: Actor,
  pair: Pair,
  now: number,
): Promise<{ person: Person; activityId: string }> {
  const { stays, goes } = pair
  const { id, projectId, isIdentified, createdAt, lastSeenAt } = stays
  const merged = mergedPerson(pair)
  const belongings = await tx.undo.belongings(projectId, goes.id, MOST_KEPT)
  const seq = await tx.outbox.nextSeq()
  await absorbPerson(tx, pair, merged, { seq, now })
  const changes = [mergeChange(goes.uuid, goes.distinctIds)]
  const entry = { activity: 'people_merged_into', name: stays.uuid, changes }
  const activityId = await noteOnPerson(tx, actor, stays, entry, now)
  if (belongings) {
    const { projectId: _, ...gone } = goes
    const stayed = { isIdentified, createdAt, lastSeenAt }
    const gained = [...gainedProperties(stays.properties, goes.properties).keys()]
    const kept = { kind: 'merge' as const, seq, stayed, gone, gained, belongings }
    await tx.undo.keep({ activityId, projectId, personId: id }, kept, goes.distinctIds)
  }
  const person = found(await tx.persons.find(projectId, { id }))
  const persons = [projectionOf(person, now), projectionOf(goes, now, true)]
  const distinctIds = goes.distinctIds.map((distinctId) => ({ projectId, distinctId, personId: id }))
  await sendPeopleChange(tx, { seq, persons, distinctIds }, now)
  return { person, activityId }
}

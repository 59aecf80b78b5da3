/**
 * Undoes a merge: the person that is gone returns, as it was and under a new integer id, with the ids it had and the
 * events, history, recordings and log that go with them. The person that stayed loses the properties that it got by the
 * merge, in its history too; one that was changed since stays as it is, so that nothing that came later is lost.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Activity } from '../../../model/accounts/activity.ts'
import type { Actor } from '../../../model/accounts/caller.ts'
import type { Person } from '../../../model/persons/person.ts'
import type { KeptMerge } from '../../../model/persons/undo.ts'
import type { SqlWriters } from '../../../model/stores.ts'
import { updateProperties } from '../../../rules/persons/identity.ts'
import { historyOf, mappingOf, projectionOf, sendPeopleChange } from '../../../rules/persons/people-change.ts'
import { noteOnPerson, type Split, splitEntry } from '../person-edit.ts'
import { found } from '../person-id.ts'
import { withoutMerge } from './later-merges.ts'
import { idsMovedOn, uuidTaken } from './obstacles.ts'

/** When it is undone, and the number of that. */
interface At {
  seq: number
  now: number
}

async function checkIds(tx: SqlWriters, { id, projectId }: Person, { gone }: KeptMerge): Promise<void> {
  const owners = await tx.persons.findByDistinctIds(projectId, gone.distinctIds)
  const movedOn = gone.distinctIds.filter((distinctId) => owners.get(distinctId)?.id !== id)
  if (movedOn.length > 0) throw idsMovedOn(movedOn)
  if (await tx.persons.find(projectId, { uuid: gone.uuid })) throw uuidTaken(gone.uuid)
}

/** The person that is gone, with its ids and all that it had. */
async function bringBack(
  tx: SqlWriters,
  stayed: Person,
  { gone, belongings }: KeptMerge,
  { seq, now }: At,
): Promise<Person> {
  const { projectId } = stayed
  const { uuid, properties, isIdentified, createdAt, lastSeenAt, distinctIds } = gone
  const { id } = await tx.persons.create({ projectId, uuid, properties, isIdentified, createdAt }, [])
  const row = { id, properties: JSON.stringify(properties), isIdentified, createdAt, lastSeenAt }
  await tx.intake.savePersons([row], now)
  await tx.persons.moveDistinctIds(projectId, distinctIds, id)
  await tx.undo.giveBack(projectId, { from: stayed.id, to: id, was: gone.id }, belongings)
  // Again, as some of what it had may have been forgotten in favour of what the merge has recorded.
  const change = { personId: id, set: properties, once: {}, removed: [], at: now, seq, eventUuid: null }
  await tx.persons.addHistory(projectId, [change])
  return found(await tx.persons.find(projectId, { id }))
}

const CHANGES_AT_ONCE = 1_000

/** Takes the values of the other out of what the merge has recorded, so that they go when the other does. */
async function forgetGained(tx: SqlWriters, personId: number, mergedAt: number, kept: KeptMerge): Promise<void> {
  const keys = new Set(kept.gained)
  for (let after = { at: mergedAt, id: 0 }; ; ) {
    const changes = await tx.persons.changesAfter(personId, after, CHANGES_AT_ONCE)
    const recorded = changes.filter(({ at, seq }) => at === mergedAt && seq === kept.seq)
    await tx.persons.trimChanges(recorded.map(({ id }) => ({ id, keys })))
    const last = changes.at(-1)
    if (!last || last.at > mergedAt) return
    after = last
  }
}

/** The person that stayed, without what the merge gave it, or with what a later one would have given it. */
async function restore(tx: SqlWriters, person: Person, kept: KeptMerge, { seq, now }: At): Promise<Person> {
  const { gone, gained } = kept
  const { state, broughtLater } = await withoutMerge(tx, person, kept)
  const unchanged = gained.filter((key) => isDeepStrictEqual(person.properties[key], gone.properties[key]))
  const set = Object.fromEntries([...broughtLater].filter(([key]) => unchanged.includes(key)))
  const unset = unchanged.filter((key) => !broughtLater.has(key))
  const { properties, differences } = updateProperties(person.properties, set, unset)
  const { id, projectId } = person
  await tx.intake.savePersons([{ id, properties: JSON.stringify(properties), ...state }], now)
  await tx.persons.addHistory(projectId, [historyOf(id, differences, now, seq)])
  return found(await tx.persons.find(projectId, { id }))
}

export async function undoMerge(
  tx: SqlWriters,
  actor: Actor,
  person: Person,
  { entry, kept, now }: { entry: Activity; kept: KeptMerge; now: number },
): Promise<Split> {
  await checkIds(tx, person, kept)
  const seq = await tx.outbox.nextSeq()
  const returned = await bringBack(tx, person, kept, { seq, now })
  await forgetGained(tx, person.id, entry.createdAt, kept)
  const rest = await restore(tx, person, kept, { seq, now })
  // A split by what it does: that is how the log finds the ids that have left a person.
  await noteOnPerson(tx, actor, person, { ...splitEntry(person, kept.gone.distinctIds), undoes: entry.id }, now)
  const persons = [rest, returned].map((one) => projectionOf(one, now))
  await sendPeopleChange(tx, { seq, persons, distinctIds: mappingOf(returned) }, now)
  return { person: rest, split: [returned] }
}

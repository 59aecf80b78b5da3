/**
 * Undoes a split: the ids return to the person that they left. Persons that the split made are merged back with all
 * that they got since; others only give the ids back. Where a person got ids or values of its own that would be lost,
 * that is for a merge, which shows them first. Properties whose name begins with `$` are what clients report with each
 * event: of those the original's stay, as in every merge.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Activity } from '../../../model/accounts/activity.ts'
import type { Actor } from '../../../model/accounts/caller.ts'
import type { Person } from '../../../model/persons/person.ts'
import type { KeptSplit } from '../../../model/persons/undo.ts'
import type { SqlWriters } from '../../../model/stores.ts'
import { fitsSize } from '../../../rules/persons/identity.ts'
import { mergeChange } from '../../../rules/persons/merge.ts'
import { projectionOf, sendPeopleChange } from '../../../rules/persons/people-change.ts'
import { absorbPerson, joinPersons } from '../merge-persons.ts'
import { noteOnPerson, type Split } from '../person-edit.ts'
import { found } from '../person-id.ts'
import { idsCame, idsMovedOn, tooLarge, valuesDiffer } from './obstacles.ts'

interface SplitOff {
  person: Person
  isNew: boolean
  /** The ids that left for it. */
  ids: string[]
}

/** The persons that the ids went to, which must still have them. */
async function findSplitOff(tx: SqlWriters, projectId: number, { moved }: KeptSplit): Promise<SplitOff[]> {
  const owners = await tx.persons.findByDistinctIds(
    projectId,
    moved.map(({ distinctId }) => distinctId),
  )
  const gone = moved.filter(({ distinctId, personId }) => owners.get(distinctId)?.id !== personId)
  if (gone.length > 0) throw idsMovedOn(gone.map(({ distinctId }) => distinctId))
  const splitOff = new Map<number, SplitOff>()
  for (const { distinctId, personId, isNew } of moved) {
    const known = splitOff.get(personId)
    const person = owners.get(distinctId) as Person
    splitOff.set(personId, {
      person,
      isNew: isNew || known?.isNew === true,
      ids: [...(known?.ids ?? []), distinctId],
    })
  }
  return [...splitOff.values()]
}

/** Ids that it got after the split, which nobody asked to be moved. */
const otherIds = ({ person, ids }: SplitOff): string[] => {
  const own = new Set(ids)
  return person.distinctIds.filter((id) => !own.has(id))
}

/** Values of its own that a merge would lose. */
const otherValues = ({ properties }: Person, { person }: SplitOff): string[] =>
  Object.keys(person.properties).filter(
    (key) =>
      !key.startsWith('$') &&
      Object.hasOwn(properties, key) &&
      !isDeepStrictEqual(properties[key], person.properties[key]),
  )

/** The person with all of those that the split made. */
async function mergeBack(
  tx: SqlWriters,
  original: Person,
  made: SplitOff[],
  at: { seq: number; now: number },
): Promise<void> {
  const came = made.flatMap(otherIds)
  if (came.length > 0) throw idsCame(came)
  let stays = original
  for (const splitOff of made) {
    const lost = otherValues(stays, splitOff)
    if (lost.length > 0) throw valuesDiffer(lost)
    const pair = { stays, goes: splitOff.person }
    const isIdentified = stays.isIdentified || splitOff.person.isIdentified
    const joined = { ...joinPersons(pair), isIdentified }
    if (!fitsSize(joined.properties)) throw tooLarge()
    await absorbPerson(tx, pair, joined, at)
    stays = joined
  }
}

export async function undoSplit(
  tx: SqlWriters,
  actor: Actor,
  original: Person,
  { entry, kept, now }: { entry: Activity; kept: KeptSplit; now: number },
): Promise<Split> {
  const { id, projectId } = original
  const splitOff = await findSplitOff(tx, projectId, kept)
  const made = splitOff.filter(({ isNew }) => isNew)
  const others = splitOff.filter(({ isNew }) => !isNew)
  const seq = await tx.outbox.nextSeq()
  await mergeBack(tx, original, made, { seq, now })
  for (const { person, ids } of others) {
    await tx.persons.moveDistinctIds(projectId, ids, id)
    await tx.persons.saveProperties(person.id, person.properties, now)
  }
  const read = async (personId: number) => found(await tx.persons.find(projectId, { id: personId }))
  const whole = await read(id)
  await tx.persons.saveProperties(id, whole.properties, now)
  const changes = splitOff.map(({ person, ids }) => mergeChange(person.uuid, ids))
  const note = { activity: 'people_merged_into', name: original.uuid, changes, undoes: entry.id }
  await noteOnPerson(tx, actor, original, note, now)
  const left: Person[] = []
  for (const { person } of others) left.push(await read(person.id))
  const persons = [
    ...[whole, ...left].map((person) => projectionOf(person, now)),
    ...made.map(({ person }) => projectionOf(person, now, true)),
  ]
  const distinctIds = kept.moved.map(({ distinctId }) => ({ projectId, distinctId, personId: id }))
  await sendPeopleChange(tx, { seq, persons, distinctIds }, now)
  return { person: whole, split: left }
}

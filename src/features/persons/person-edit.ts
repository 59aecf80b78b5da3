/**
 * Changes to one person inside a transaction: its properties, or which person its distinct ids belong to.
 * Each writes the property history, the activity entry and, last, the outbox row; when nothing changes,
 * nothing is written.
 */
import type { ActivityChange } from '../../model/accounts/activity.ts'
import type { Actor } from '../../model/accounts/caller.ts'
import type { Person, Properties } from '../../model/persons/person.ts'
import type { SqlWriters } from '../../model/stores.ts'
import { addActivity, propertyChanges } from '../../rules/activity/activity-entry.ts'
import { checkSize, updateProperties } from '../../rules/persons/identity.ts'
import { historyOf, projectionOf, sendPeopleChange } from '../../rules/persons/people-change.ts'
import type { SplitRequest } from './parameters.ts'
import { found } from './person-id.ts'
import { idsToSplit, type SplitTarget, splitTarget } from './split.ts'

export interface PropertyEdit {
  set: Properties
  unset: string[]
  activity: 'updated' | 'delete_property'
}

interface Entry {
  activity: string
  name: string | null
  changes: ActivityChange[] | null
}

export const noteOnPerson = (tx: SqlWriters, actor: Actor, person: Person, entry: Entry, now: number) =>
  addActivity(tx, actor, { scope: 'Person', itemId: String(person.id), ...entry }, now)

export async function editProperties(
  tx: SqlWriters,
  actor: Actor,
  person: Person,
  edit: PropertyEdit,
  now: number,
): Promise<Person> {
  const { properties, differences } = updateProperties(person.properties, edit.set, edit.unset)
  if (differences.length === 0) return person
  checkSize(properties)
  const changed = { ...person, properties }
  const seq = await tx.outbox.nextSeq()
  await tx.persons.saveProperties(person.id, properties, now)
  await tx.persons.addHistory(person.projectId, [historyOf(person.id, differences, now, seq)])
  const name = edit.activity === 'delete_property' ? person.uuid : null
  await noteOnPerson(tx, actor, person, { activity: edit.activity, name, changes: propertyChanges(differences) }, now)
  await sendPeopleChange(tx, { seq, persons: [projectionOf(changed, now)], distinctIds: [] }, now)
  return changed
}

async function personFor(tx: SqlWriters, projectId: number, target: SplitTarget, now: number): Promise<Person> {
  const create = (uuid: string) =>
    tx.persons.create({ projectId, uuid, properties: {}, isIdentified: false, createdAt: now }, [])
  if ('uuid' in target) return (await tx.persons.findToChange(projectId, target)) ?? create(target.uuid)
  for (const uuid of target.firstFreeOf) if (!(await tx.persons.find(projectId, { uuid }))) return create(uuid)
  throw new Error('There is always another uuid.')
}

function splitEntry(person: Person, { chosen }: SplitRequest, leaving: string[]): Entry {
  const after = { distinct_ids: person.distinctIds, ...(chosen ? { distinct_ids_to_split: leaving } : {}) }
  const change: ActivityChange = { type: 'Person', action: 'split', field: null, before: null, after }
  return { activity: 'split_person', name: person.uuid, changes: [change] }
}

export interface Split {
  /** What is left of the person, its properties included. */
  person: Person
  /** The persons that the other ids went to, in the order in which they were stored. */
  split: Person[]
}

export async function splitPerson(
  tx: SqlWriters,
  actor: Actor,
  person: Person,
  request: SplitRequest,
  now: number,
): Promise<Split> {
  const { projectId } = person
  const leaving = idsToSplit(person.distinctIds, request)
  if (leaving.length === 0) return { person, split: [] }
  const targets: Person[] = []
  for (const distinctId of leaving) {
    const target = await personFor(tx, projectId, splitTarget(person, distinctId), now)
    await tx.persons.moveDistinctIds(projectId, [distinctId], target.id)
    targets.push(target)
  }
  // The properties stay as they are; saving them updates what `updated_after` filters by.
  for (const { id, properties } of [person, ...targets]) await tx.persons.saveProperties(id, properties, now)
  await noteOnPerson(tx, actor, person, splitEntry(person, request, leaving), now)
  const distinctIds = leaving.map((distinctId, i) => ({ projectId, distinctId, personId: targets[i]?.id ?? null }))
  const seq = await tx.outbox.nextSeq()
  const read = async ({ id }: Person): Promise<Person> => found(await tx.persons.find(projectId, { id }))
  const split: Person[] = []
  for (const target of targets) split.push(await read(target))
  const rest = await read(person)
  const persons = [rest, ...split].map((item) => projectionOf(item, now))
  await sendPeopleChange(tx, { seq, persons, distinctIds }, now)
  return { person: rest, split }
}

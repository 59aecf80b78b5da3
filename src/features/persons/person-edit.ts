/**
 * Changes to one person inside a transaction: its properties, or which person its distinct ids belong to.
 * Each writes the property history, the activity entry and, last, the outbox row; when nothing changes,
 * nothing is written.
 */
import type { ActivityChange } from '../../model/accounts/activity.ts'
import type { Actor } from '../../model/accounts/caller.ts'
import type { Person, Properties } from '../../model/persons/person.ts'
import type { KeptSplit } from '../../model/persons/undo.ts'
import type { SqlWriters } from '../../model/stores.ts'
import { addActivity, propertyChanges } from '../../rules/activity/activity-entry.ts'
import { checkSize, updateProperties } from '../../rules/persons/identity.ts'
import { MOST_MOVED_IDS } from '../../rules/persons/merge.ts'
import { historyOf, projectionOf, sendPeopleChange } from '../../rules/persons/people-change.ts'
import type { SplitRequest } from './parameters.ts'
import { found } from './person-id.ts'
import { idsToSplit, type SplitTarget, splitTarget } from './split.ts'

export interface PropertyEdit {
  set: Properties
  unset: string[]
  activity: 'updated' | 'delete_property'
  /** The entry that is undone by it. */
  undoes?: string
}

interface Entry {
  activity: string
  name: string | null
  changes: ActivityChange[] | null
  undoes?: string
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
  const { activity, undoes } = edit
  const name = activity === 'delete_property' ? person.uuid : null
  const changes = propertyChanges(differences)
  await noteOnPerson(tx, actor, person, { activity, name, changes, ...(undoes ? { undoes } : {}) }, now)
  await sendPeopleChange(tx, { seq, persons: [projectionOf(changed, now)], distinctIds: [] }, now)
  return changed
}

interface Target {
  person: Person
  isNew: boolean
}

async function personFor(tx: SqlWriters, projectId: number, target: SplitTarget, now: number): Promise<Target> {
  const create = async (uuid: string) => {
    const row = { projectId, uuid, properties: {}, isIdentified: false, createdAt: now }
    return { person: await tx.persons.create(row, []), isNew: true }
  }
  if ('uuid' in target) {
    const person = await tx.persons.findToChange(projectId, target)
    return person ? { person, isNew: false } : create(target.uuid)
  }
  for (const uuid of target.firstFreeOf) if (!(await tx.persons.find(projectId, { uuid }))) return create(uuid)
  throw new Error('There is always another uuid.')
}

/** The ids that it had, and those that were chosen to leave, if not all but one. */
export function splitEntry(person: Person, chosen: string[] | null): Entry {
  const after = { distinct_ids: person.distinctIds, ...(chosen ? { distinct_ids_to_split: chosen } : {}) }
  const change: ActivityChange = { type: 'Person', action: 'split', field: null, before: null, after }
  return { activity: 'split_person', name: person.uuid, changes: [change] }
}

/** So that it can be undone, unless it is of more ids than a merge moves at once. */
async function keepSplit(tx: SqlWriters, { id, projectId }: Person, activityId: string, moved: KeptSplit['moved']) {
  if (moved.length > MOST_MOVED_IDS) return
  const ids = moved.map(({ distinctId }) => distinctId)
  await tx.undo.keep({ activityId, projectId, personId: id }, { kind: 'split', moved }, ids)
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
  const moved: KeptSplit['moved'] = []
  for (const distinctId of leaving) {
    const { person: target, isNew } = await personFor(tx, projectId, splitTarget(person, distinctId), now)
    await tx.persons.moveDistinctIds(projectId, [distinctId], target.id)
    targets.push(target)
    moved.push({ distinctId, personId: target.id, isNew })
  }
  // The properties stay as they are; saving them updates what `updated_after` filters by.
  for (const { id, properties } of [person, ...targets]) await tx.persons.saveProperties(id, properties, now)
  const entry = splitEntry(person, request.chosen ? leaving : null)
  await keepSplit(tx, person, await noteOnPerson(tx, actor, person, entry, now), moved)
  const distinctIds = moved.map(({ distinctId, personId }) => ({ projectId, distinctId, personId }))
  const seq = await tx.outbox.nextSeq()
  const read = async ({ id }: Person): Promise<Person> => found(await tx.persons.find(projectId, { id }))
  const split: Person[] = []
  for (const target of targets) split.push(await read(target))
  const rest = await read(person)
  const persons = [rest, ...split].map((item) => projectionOf(item, now))
  await sendPeopleChange(tx, { seq, persons, distinctIds }, now)
  return { person: rest, split }
}

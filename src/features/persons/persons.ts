/**
 * Reading, changing and deleting one person. Each change is one transaction that also writes the property
 * history, the activity entry and the outbox row; two at once on one person follow each other, none is lost.
 */
import type { Clock } from '../../lib/clock.ts'
import type { Caller } from '../../model/caller.ts'
import type { Person, Properties } from '../../model/person.ts'
import type { Project } from '../../model/project.ts'
import type { SqlWriters, Stores } from '../../model/stores.ts'
import { activityEntry, propertyChanges } from '../../rules/activity-entry.ts'
import { checkSize, updateProperties } from '../../rules/identity.ts'
import { historyOf, mappingOf, projectionOf, sendPeopleChange } from '../../rules/people-change.ts'
import { nextSunday } from '../../rules/sunday.ts'
import { found, readPersonRef } from './person-ref.ts'
import { type PersonView, viewPerson } from './person-view.ts'

export interface PersonsParts {
  stores: Pick<Stores, 'persons' | 'transaction'>
  clock: Clock
}

/** Who acts where. */
export interface Actor {
  project: Project
  caller: Caller
}

export interface RemoveOptions {
  deleteEvents: boolean
  deleteRecordings: boolean
  keepPerson: boolean
}

export interface PropertyEdit {
  set: Properties
  unset: string[]
  activity: 'updated' | 'delete_property'
}

/** Applies an edit inside a transaction; nothing is written when nothing changes. */
export async function editProperties(
  tx: SqlWriters,
  { caller, project }: Actor,
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
  await tx.persons.addHistory(person.projectId, historyOf(person.id, differences, now, seq))
  const entry = {
    projectId: project.id,
    caller,
    scope: 'Person',
    itemId: String(person.id),
    activity: edit.activity,
    name: edit.activity === 'delete_property' ? person.uuid : null,
    changes: propertyChanges(differences),
  }
  await tx.activity.add(activityEntry(entry, now))
  await sendPeopleChange(tx, { seq, persons: [projectionOf(changed)], distinctIds: [] }, now)
  return changed
}

/** Removes the person, or only queues what belongs to it, inside a transaction. */
export async function removePerson(
  tx: SqlWriters,
  { caller, project }: Actor,
  person: Person,
  options: Pick<RemoveOptions, 'deleteEvents' | 'keepPerson'>,
  now: number,
): Promise<void> {
  const { deleteEvents, keepPerson } = options
  if (!deleteEvents && keepPerson) return
  const seq = await tx.outbox.nextSeq()
  if (deleteEvents) {
    await tx.deletions.request({
      projectId: project.id,
      personId: person.id,
      personUuid: person.uuid,
      distinctIds: person.distinctIds,
      cutoffSeq: seq,
      createdBy: caller.user.id,
      createdAt: now,
      scheduledFor: nextSunday(now),
    })
  }
  if (keepPerson) return
  await tx.persons.remove(person.id)
  await tx.activity.erase(project.id, 'Person', String(person.id))
  const entry = {
    projectId: project.id,
    caller,
    scope: 'Person',
    itemId: String(person.id),
    activity: 'deleted',
    name: person.uuid,
    changes: null,
  }
  await tx.activity.add(activityEntry(entry, now))
  const change = { seq, persons: [projectionOf(person, true)], distinctIds: mappingOf(person, null) }
  await sendPeopleChange(tx, change, now)
}

export function createPersons({ stores, clock }: PersonsParts) {
  const edit = (actor: Actor, id: string, change: PropertyEdit): Promise<PersonView> => {
    const ref = readPersonRef(id)
    return stores.transaction(async (tx) => {
      const person = found(await tx.persons.find(actor.project.id, ref))
      return viewPerson(actor.project, await editProperties(tx, actor, person, change, clock.now()))
    })
  }
  return {
    async retrieve(project: Project, id: string): Promise<PersonView> {
      return viewPerson(project, found(await stores.persons.find(project.id, readPersonRef(id))))
    },
    /** Merges: a null sets null, keys not named stay. */
    patch: (actor: Actor, id: string, properties: Properties): Promise<PersonView> =>
      edit(actor, id, { set: properties, unset: [], activity: 'updated' }),
    /** Removing what is not there succeeds. */
    unset: (actor: Actor, id: string, keys: string[]): Promise<PersonView> =>
      edit(actor, id, { set: {}, unset: keys, activity: 'delete_property' }),
    async remove(actor: Actor, id: string, options: RemoveOptions): Promise<void> {
      const ref = readPersonRef(id)
      await stores.transaction(async (tx) => {
        const person = found(await tx.persons.find(actor.project.id, ref))
        await removePerson(tx, actor, person, options, clock.now())
      })
    },
  }
}

export type Persons = ReturnType<typeof createPersons>

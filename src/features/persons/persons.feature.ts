/**
 * Persons: reads and changes one of them here and combines the other files of the folder. Each change is one
 * transaction; two concurrent ones on one person run one after the other, none is lost.
 */
import type { Clock } from '../../lib/time/clock.ts'
import type { Actor } from '../../model/accounts/caller.ts'
import type { Project } from '../../model/accounts/project.ts'
import type { Person, Properties } from '../../model/persons/person.ts'
import type { SqlWriters, Stores } from '../../model/stores.ts'
import { createPersonMerge } from './merge/merge.ts'
import type { SplitRequest } from './parameters.ts'
import { createPersonCounts } from './person-counts.ts'
import { editProperties, type PropertyEdit, splitPerson } from './person-edit.ts'
import { found, readPersonRef } from './person-id.ts'
import { createPersonList } from './person-list.ts'
import { type PersonView, viewPerson } from './person-view.ts'
import { createPersonRemoval, type DeleteRecordings } from './removal/person-removal.ts'
import { createPersonHistory } from './timeline/person-history.ts'
import { createUndo } from './undo/undo.ts'

export interface PersonsParts {
  stores: Pick<Stores, 'persons' | 'deletions' | 'events' | 'recordings' | 'peopleTransaction' | 'exclusiveTransaction'>
  clock: Clock
  deleteRecordings: DeleteRecordings
}

export function createPersonsFeature(parts: PersonsParts) {
  const { stores, clock } = parts
  const change = <T>(actor: Actor, id: string, work: (tx: SqlWriters, person: Person) => Promise<T>): Promise<T> => {
    const ref = readPersonRef(id)
    const { id: projectId } = actor.project
    return stores.peopleTransaction([projectId], async (tx) =>
      work(tx, found(await tx.persons.findToChange(projectId, ref))),
    )
  }
  const edit = (actor: Actor, id: string, request: PropertyEdit): Promise<PersonView> =>
    change(actor, id, async (tx, person) =>
      viewPerson(actor.project, await editProperties(tx, actor, person, request, clock.now())),
    )
  return {
    ...createPersonList(parts),
    ...createPersonHistory(parts),
    ...createPersonCounts(parts),
    ...createPersonRemoval(parts),
    ...createPersonMerge(parts),
    ...createUndo(parts),
    async retrieve(project: Project, id: string): Promise<PersonView> {
      return viewPerson(project, found(await stores.persons.find(project.id, readPersonRef(id))))
    },
    /** Merges: a null sets null, keys not named stay. */
    patch: (actor: Actor, id: string, properties: Properties): Promise<PersonView> =>
      edit(actor, id, { set: properties, unset: [], activity: 'updated' }),
    /** Removing what is not there succeeds. */
    unset: (actor: Actor, id: string, keys: string[]): Promise<PersonView> =>
      edit(actor, id, { set: {}, unset: keys, activity: 'delete_property' }),
    split: (actor: Actor, id: string, request: SplitRequest): Promise<{ person: PersonView; split: PersonView[] }> =>
      change(actor, id, async (tx, person) => {
        const result = await splitPerson(tx, actor, person, request, clock.now())
        return {
          person: viewPerson(actor.project, result.person),
          split: result.split.map((item) => viewPerson(actor.project, item)),
        }
      }),
  }
}

export type PersonsFeature = ReturnType<typeof createPersonsFeature>

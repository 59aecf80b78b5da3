/**
 * Undoes an entry of the activity log about a person: a change of properties, a split, or a merge made through the API.
 * All of it in one transaction beside which no other changes people of the project; what stands in the way is a
 * conflict that names it, and then nothing is changed.
 */
import { notFound } from '../../../lib/errors.ts'
import { readUuid } from '../../../lib/ids.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import type { Activity } from '../../../model/accounts/activity.ts'
import type { Actor } from '../../../model/accounts/caller.ts'
import type { Person } from '../../../model/persons/person.ts'
import type { SqlWriters, Stores } from '../../../model/stores.ts'
import { isPropertyEdit } from '../../../rules/activity/undoable.ts'
import type { Split } from '../person-edit.ts'
import { viewPerson } from '../person-view.ts'
import {
  alreadyUndone,
  keptErased,
  madeByCapture,
  nothingKept,
  notUndoable,
  personDeleted,
  personMerged,
} from './obstacles.ts'
import { undoEdit } from './undo-edit.ts'
import { undoMerge } from './undo-merge.ts'
import { undoSplit } from './undo-split.ts'

export interface UndoParts {
  stores: Pick<Stores, 'exclusiveTransaction'>
  clock: Clock
}

const EDITS = ['updated', 'delete_property']
const MOVES = ['split_person', 'people_merged_into']

/** As the log shows entries: those of the organisation only to who is not limited to projects. */
function isVisible({ projectId, organizationId }: Activity, { project, caller }: Actor): boolean {
  if (projectId !== null) return projectId === project.id
  return organizationId === project.organizationId && caller.credential.scopedTeams === null
}

async function personOf(tx: SqlWriters, { project }: Actor, { itemId }: Activity): Promise<Person> {
  const person = await tx.persons.findToChange(project.id, { id: Number(itemId) })
  if (!person) throw personDeleted()
  return person
}

/** What was kept, and the person that it was about, if it is still that one. */
async function findKept(tx: SqlWriters, actor: Actor, entry: Activity) {
  if (entry.activity === 'people_merged_into' && entry.userId === null) throw madeByCapture()
  if (entry.undo === 'erased') throw keptErased()
  const found = await tx.undo.find(entry.id)
  if (!found) throw nothingKept()
  const person = await personOf(tx, actor, entry)
  if (person.id !== found.personId) throw personMerged()
  return { person, kept: found.kept }
}

async function undoEntry(tx: SqlWriters, actor: Actor, entry: Activity, now: number): Promise<Split> {
  const { scope, activity, detail } = entry
  const isAboutPerson = scope === 'Person' && detail.trigger === null
  if (isAboutPerson && EDITS.includes(activity)) {
    const person = await personOf(tx, actor, entry)
    if (isPropertyEdit(entry)) return undoEdit(tx, actor, person, entry, now)
  }
  if (!isAboutPerson || !MOVES.includes(activity)) throw notUndoable(activity)
  const { person, kept } = await findKept(tx, actor, entry)
  return kept.kind === 'split'
    ? undoSplit(tx, actor, person, { entry, kept, now })
    : undoMerge(tx, actor, person, { entry, kept, now })
}

export const createUndo = ({ stores, clock }: UndoParts) => ({
  async undo(actor: Actor, id: string) {
    const uuid = readUuid(id)
    if (!uuid) throw notFound()
    const { project } = actor
    const { person, split } = await stores.exclusiveTransaction([project.id], async (tx) => {
      const entry = await tx.activity.find(uuid)
      if (!entry || !isVisible(entry, actor)) throw notFound()
      if (entry.undo === 'done') throw alreadyUndone()
      const undone = await undoEntry(tx, actor, entry, clock.now())
      if (!(await tx.undo.markUndone(entry.id))) throw alreadyUndone()
      return undone
    })
    return {
      success: true,
      person: viewPerson(project, person),
      split: split.map((other) => viewPerson(project, other)),
    }
  },
})

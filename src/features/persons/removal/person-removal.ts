/**
 * Deletes persons, one or many, and their data. A request is one transaction: all of its persons are deleted or none;
 * only a long property history is deleted later by a job. Events are only queued, for the run of Sunday 05:00 UTC: those
 * with a number up to the transaction's own, which is exclusive, so that these are all that were captured before it.
 * Recordings are deleted at once and first, so that a caller that gets an error can still retry.
 */

import { walkPage, walkPages } from '../../../lib/lists/walk-pages.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import { formatInstant, formatOptional } from '../../../lib/time/time.ts'
import type { Actor } from '../../../model/accounts/caller.ts'
import type { Project } from '../../../model/accounts/project.ts'
import type { PageRequest } from '../../../model/page.ts'
import type { Deletion, DeletionFilter } from '../../../model/persons/deletion.ts'
import type { Person } from '../../../model/persons/person.ts'
import type { SqlWriters, Stores } from '../../../model/stores.ts'
import { erasedDetail, withoutDistinctIds } from '../../../rules/activity/erased-entry.ts'
import { requestDeletion } from '../../../rules/erasure/deletion-request.ts'
import { nextDeletionRun } from '../../../rules/erasure/deletion-schedule.ts'
import { HISTORY_AT_ONCE, removeHistory } from '../../../rules/erasure/history-removal.ts'
import { mappingOf, projectionOf, sendPeopleChange } from '../../../rules/persons/people-change.ts'
import { noteOnPerson } from '../person-edit.ts'
import { found, readPersonRef } from '../person-id.ts'
import { type BulkMatch, type BulkSelection, matchPersons } from './bulk-selection.ts'

export interface RemoveOptions {
  deleteEvents: boolean
  deleteRecordings: boolean
  keepPerson: boolean
}

/** Deletes the recordings of these persons, each given by its distinct ids, at once; gives how many each had. */
export type DeleteRecordings = (actor: Actor, persons: string[][]) => Promise<number[]>

export interface RemovalParts {
  stores: Pick<Stores, 'persons' | 'deletions' | 'exclusiveTransaction'>
  clock: Clock
  deleteRecordings: DeleteRecordings
}

const viewDeletion = (deletion: Deletion) => ({
  person_id: deletion.personId,
  person_uuid: deletion.personUuid,
  created_at: formatInstant(deletion.createdAt),
  status: deletion.status,
  scheduled_for: formatInstant(deletion.scheduledFor),
  delete_verified_at: formatOptional(deletion.verifiedAt),
  events_deleted: deletion.eventsDeleted,
  sessions_deleted: deletion.sessionsDeleted,
  recordings_deleted: deletion.recordingsDeleted,
})

export type DeletionView = ReturnType<typeof viewDeletion>

/** The caller handles the warnings of the person: searching them takes long, and once for many is enough. */
const queueEvents = (
  tx: SqlWriters,
  { project, caller }: Actor,
  person: Person,
  { seq, now, recordings }: { seq: number; now: number; recordings: number | null },
): Promise<Deletion> =>
  requestDeletion(tx, {
    projectId: project.id,
    personId: person.id,
    personUuid: person.uuid,
    distinctIds: person.distinctIds,
    cutoffSeq: seq,
    createdBy: caller.user.id,
    createdAt: now,
    scheduledFor: nextDeletionRun(now),
    recordingsDeleted: recordings,
  })

/** Removes the persons, or only queues their data for deletion, inside a transaction. */
async function removePersons(
  tx: SqlWriters,
  actor: Actor,
  persons: Person[],
  { deleteEvents, keepPerson, recordings }: RemoveOptions & { recordings: Map<number, number> | null },
  now: number,
): Promise<void> {
  if (persons.length === 0 || (!deleteEvents && keepPerson)) return
  const seq = await tx.outbox.nextSeq()
  let room = HISTORY_AT_ONCE
  for (const person of persons) {
    const count = recordings && (recordings.get(person.id) ?? 0)
    if (deleteEvents) await queueEvents(tx, actor, person, { seq, now, recordings: count })
    if (keepPerson) continue
    await tx.persons.remove(person.id)
    room = await removeHistory(tx, person, room, now)
    const item = { projectId: actor.project.id, scope: 'Person', itemId: String(person.id) }
    await tx.activity.rewriteItem(item, erasedDetail)
    await noteOnPerson(tx, actor, person, { activity: 'deleted', name: person.uuid, changes: null }, now)
  }
  const distinctIds = persons.flatMap((person) => person.distinctIds)
  await tx.intake.eraseWarnings(actor.project.id, distinctIds)
  if (keepPerson) return
  await tx.outbox.forgetParkedPersons(
    actor.project.id,
    persons.map(({ id }) => id),
  )
  await tx.activity.rewriteSplits(actor.project.id, distinctIds, withoutDistinctIds(distinctIds))
  await tx.undo.erase(
    actor.project.id,
    persons.map(({ id }) => id),
    distinctIds,
  )
  // Kept results may hold what the person was like.
  await tx.insightCache.clear(actor.project.id)
  const marks = persons.map((person) => projectionOf(person, now, true))
  const mapping = persons.flatMap((person) => mappingOf(person, null))
  await sendPeopleChange(tx, { seq, persons: marks, distinctIds: mapping }, now)
}

const summary = (match: BulkMatch, options: RemoveOptions) => ({
  persons_found: match.persons.length,
  persons_deleted: options.keepPerson ? 0 : match.persons.length,
  events_queued_for_deletion: options.deleteEvents && match.persons.length > 0,
  recordings_queued_for_deletion: options.deleteRecordings && match.persons.length > 0,
  deletion_errors: [],
  ids_not_found: match.idsNotFound,
  distinct_ids_not_found: match.distinctIdsNotFound,
})

export function createPersonRemoval({ stores, clock, deleteRecordings }: RemovalParts) {
  const find = async (project: Project, id: string): Promise<Person> =>
    found(await stores.persons.find(project.id, readPersonRef(id)))
  /** How many recordings each person had; null when deleting them was not requested. */
  const removeRecordings = async (actor: Actor, options: RemoveOptions, choose: () => Promise<Person[]>) => {
    if (!options.deleteRecordings) return null
    const persons = await choose()
    if (persons.length === 0) return new Map<number, number>()
    const ids = persons.map((person) => person.distinctIds)
    const counts = await deleteRecordings(actor, ids)
    return new Map(persons.map((person, index) => [person.id, counts[index] ?? 0]))
  }
  return {
    async remove(actor: Actor, id: string, options: RemoveOptions): Promise<void> {
      const ref = readPersonRef(id)
      const recordings = await removeRecordings(actor, options, async () => [await find(actor.project, id)])
      await stores.exclusiveTransaction([actor.project.id], async (tx) => {
        const person = found(await tx.persons.find(actor.project.id, ref))
        await removePersons(tx, actor, [person], { ...options, recordings }, clock.now())
      })
    },
    async removeMany(actor: Actor, choice: BulkSelection, options: RemoveOptions) {
      const found = async () => (await matchPersons(stores.persons, actor.project.id, choice)).persons
      const recordings = await removeRecordings(actor, options, found)
      return stores.exclusiveTransaction([actor.project.id], async (tx) => {
        const match = await matchPersons(tx.persons, actor.project.id, choice)
        await removePersons(tx, actor, match.persons, { ...options, recordings }, clock.now())
        return summary(match, options)
      })
    },
    /** Queues the events of a person that stays; returns the request as deletion_status shows it. */
    queueEvents(actor: Actor, id: string): Promise<DeletionView> {
      const ref = readPersonRef(id)
      return stores.exclusiveTransaction([actor.project.id], async (tx) => {
        const person = found(await tx.persons.find(actor.project.id, ref))
        const at = { seq: await tx.outbox.nextSeq(), now: clock.now(), recordings: null }
        await tx.intake.eraseWarnings(actor.project.id, person.distinctIds)
        return viewDeletion(await queueEvents(tx, actor, person, at))
      })
    },
    async removeRecordings(actor: Actor, id: string): Promise<number> {
      const [count = 0] = await deleteRecordings(actor, [(await find(actor.project, id)).distinctIds])
      return count
    },
    async deletions(
      project: Project,
      filter: Omit<DeletionFilter, 'projectId'>,
      page: PageRequest,
    ): Promise<{ count: number; items: DeletionView[] }> {
      const { count, items } = await stores.deletions.list({ projectId: project.id, ...filter }, page)
      return { count, items: items.map(viewDeletion) }
    },
    /** One page of that list, however large. */
    walkDeletionPage: ({ id: projectId }: Project, filter: Omit<DeletionFilter, 'projectId'>, page: PageRequest) =>
      walkPage(async (part) => {
        const { items } = await stores.deletions.list({ projectId, ...filter }, part)
        return items.map(viewDeletion)
      }, page),
    /** Every request of that list, page by page, each time it is called. */
    walkDeletions(
      { id: projectId }: Project,
      filter: Omit<DeletionFilter, 'projectId'>,
    ): () => AsyncGenerator<DeletionView[]> {
      return walkPages<Deletion, DeletionView>(
        (after, limit) => stores.deletions.listAfter({ projectId, ...filter }, after, limit),
        (found) => found.map(viewDeletion),
      )
    },
  }
}

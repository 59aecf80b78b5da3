/**
 * Does again in restored stores what was deleted after their backup was made. Removed projects and deleted recordings
 * are gone when it resolves; events of persons are queued, with a job that the next server runs at once. May be
 * repeated: what is gone already is no error.
 */
import { chunks } from '../../lib/lists/lists.ts'
import type { Caller, Credential } from '../../model/accounts/caller.ts'
import type { Project } from '../../model/accounts/project.ts'
import { RUN_DELETIONS } from '../../model/job.ts'
import type { LaterChanges, LaterErasure } from '../../model/later-changes.ts'
import type { Stores } from '../../model/stores.ts'
import { everyProject } from '../accounts/every-project.ts'
import { clearProject, markRemoved } from '../accounts/project-removal.ts'
import { activityEntry } from '../activity/activity-entry.ts'

export interface RedoParts {
  stores: Stores
  now: number
  /** Deletes persons, or only requests the deletion of their events, in one transaction. */
  removePersons: (
    actor: { project: Project; caller: Caller },
    uuids: string[],
    options: { deleteEvents: boolean; keepPerson: boolean },
  ) => Promise<void>
  /** Removes the bytes of a recording that has a tombstone. */
  freeRecording: (place: { projectId: number; sessionId: string }) => Promise<void>
}

const PERSONS_AT_ONCE = 500
const RECORDINGS_AT_ONCE = 100

const groupBy = <T, K>(items: T[], keyOf: (item: T) => K): Map<K, T[]> => {
  const groups = new Map<K, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}

async function removeProjects({ stores, now }: RedoParts, projects: number[]): Promise<void> {
  for (const id of projects) {
    await stores.transaction((tx) => markRemoved(tx, id, now))
    await clearProject(stores, id)
  }
}

async function removeRecordings(
  { stores, freeRecording }: RedoParts,
  later: LaterChanges['recordings'],
): Promise<void> {
  for (const [projectId, ofProject] of groupBy(later, (recording) => recording.projectId)) {
    for (const part of chunks(ofProject, RECORDINGS_AT_ONCE)) {
      await stores.transaction(async (tx) => {
        for (const { sessionId, deletedAt: at, deletedBy: userId } of part) {
          await tx.recordings.replaceByTombstone(projectId, [sessionId], { userId, at })
        }
      })
      for (const { sessionId } of part) await freeRecording({ projectId, sessionId })
    }
  }
}

/** What is done again was allowed the first time. */
const NOTHING: Credential = {
  kind: 'key',
  id: '',
  keyId: null,
  scopes: [],
  scopedTeams: [],
  scopedOrganizations: [],
  expiresAt: null,
  provedAt: null,
}

/** The log names the first user: who asked for it the first time is not in the restored stores. */
async function firstCaller({ stores }: RedoParts): Promise<Caller> {
  const [active] = await stores.users.list()
  // Users are never deleted, only inactive.
  const user = active ?? (await stores.users.find(1))
  if (!user) throw new Error('There is no user in whose name persons could be deleted again.')
  return { user, credential: NOTHING, memberships: [] }
}

async function removePersons(parts: RedoParts, persons: LaterErasure[]): Promise<void> {
  if (persons.length === 0) return
  const caller = await firstCaller(parts)
  for (const [projectId, ofProject] of groupBy(persons, (person) => person.projectId)) {
    const project = await parts.stores.projects.find(projectId)
    if (!project) continue
    const kindOf = ({ isPersonDeleted, areEventsDeleted }: LaterErasure) => `${isPersonDeleted} ${areEventsDeleted}`
    for (const alike of groupBy(ofProject, kindOf).values()) {
      const [first] = alike as [LaterErasure]
      const options = { deleteEvents: first.areEventsDeleted, keepPerson: !first.isPersonDeleted }
      for (const part of chunks(alike, PERSONS_AT_ONCE)) {
        const uuids = part.map((person) => person.personUuid)
        await parts.removePersons({ project, caller }, uuids, options)
      }
    }
  }
}

/** A job that the hold of a clock does not stop, as they were carried out before. */
async function queueDeletions({ stores, now }: RedoParts, projectIds: number[]): Promise<void> {
  await stores.transaction(async (tx) => {
    for (const projectId of new Set(projectIds)) {
      const payload = { projectId }
      await tx.jobs.add({ kind: RUN_DELETIONS, key: `restore-${projectId}`, projectId, payload, runAt: now })
    }
  })
}

export async function redoErasures(parts: RedoParts, later: LaterChanges): Promise<void> {
  await removeProjects(parts, later.projects)
  await removeRecordings(parts, later.recordings)
  await removePersons(parts, later.persons)
  const asked = later.persons.filter((person) => person.areEventsDeleted).map((person) => person.projectId)
  await queueDeletions(parts, [...asked, ...later.carriedOut.map((done) => done.projectId)])
}

/** An entry in the log of each project. */
export async function noteRestored({ transaction }: Stores, madeAt: string, now: number): Promise<void> {
  await transaction(async (tx) => {
    for await (const { id: projectId } of everyProject(tx.projects)) {
      const name = `the backup of ${madeAt}`
      const subject = { scope: 'Project', itemId: String(projectId), activity: 'restored', name, changes: null }
      await tx.activity.add(activityEntry({ projectId, caller: null, ...subject }, now))
    }
  })
}

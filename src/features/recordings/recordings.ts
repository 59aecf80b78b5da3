/**
 * Reading, changing, viewing and deleting recordings. They are created by ingestion only. How a deletion survives a
 * crash is described in erase-recordings.ts.
 */

import { checkLevel } from '../../http/access/levels.ts'
import { invalid, unavailable } from '../../lib/errors.ts'
import { isStorable } from '../../lib/json/json.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Actor } from '../../model/accounts/caller.ts'
import type { Project } from '../../model/accounts/project.ts'
import type { Recording } from '../../model/recordings/recording.ts'
import type { SqlWriters, Stores } from '../../model/stores.ts'
import { addActivity } from '../../rules/activity/activity-entry.ts'
import { findRecording, recordingNotFound } from '../../rules/recordings/recording.ts'
import { readAttribution } from './assign-person.ts'
import { createEraser } from './erase-recordings.ts'
import { readStart } from './list-query.ts'
import { createRecordingList } from './recording-list.ts'
import { type RecordingView, viewRecordings, viewShared } from './recording-view.ts'

const RETRY_SECONDS = 60

export interface RecordingsParts {
  stores: Pick<Stores, 'recordings' | 'persons' | 'users' | 'events' | 'blobs' | 'transaction' | 'exclusiveTransaction'>
  clock: Clock
  /** Called when bytes of a deleted recording could not be removed; it is retried later. */
  failed: (error: unknown) => void
}

export interface RecordingChange {
  /** As it was sent; absent: unchanged. */
  person?: unknown
  viewed?: boolean
  analyzed?: boolean
  /** Accepted, so that it can be sent by itself; nothing of it is stored. */
  player_metadata?: unknown
}

const KNOWN = ['person', 'viewed', 'analyzed', 'player_metadata'] as const

async function attribute(tx: SqlWriters, actor: Actor, recording: Recording, person: unknown, now: number) {
  const { projectId, sessionId } = recording
  const personId = await readAttribution(tx.persons, recording, person)
  if (personId === undefined) return
  await tx.recordings.update(projectId, sessionId, { personId })
  const entry = {
    scope: 'Replay',
    itemId: sessionId,
    activity: 'updated',
    name: sessionId,
    changes: [
      {
        type: 'Replay',
        action: 'changed' as const,
        field: 'person',
        before: recording.personId,
        after: personId,
      },
    ],
  }
  await addActivity(tx, actor, entry, now)
}

async function applyChange(tx: SqlWriters, actor: Actor, sessionId: string, change: RecordingChange, now: number) {
  const { project, caller } = actor
  const recording = await findRecording(tx.recordings, project.id, sessionId, now)
  if (change.person !== undefined) await attribute(tx, actor, recording, change.person, now)
  if (change.analyzed !== undefined) await tx.recordings.update(project.id, sessionId, { analyzed: change.analyzed })
  if (change.viewed === true) await tx.recordings.addViews(project.id, caller.user.id, [sessionId], now)
  if (change.viewed === false) await tx.recordings.removeViews(project.id, caller.user.id, [sessionId])
}

type ChangingStores = Pick<Stores, 'transaction' | 'exclusiveTransaction'>

/** The person that it is given to must not be merged into another meanwhile. */
function changeRecording(
  stores: ChangingStores,
  actor: Actor,
  sessionId: string,
  change: RecordingChange,
  clock: Clock,
) {
  const apply = (tx: SqlWriters) => applyChange(tx, actor, sessionId, change, clock.now())
  if (change.person === undefined) return stores.transaction(apply)
  // Marks are the user's own; whose recording it is concerns everybody.
  checkLevel(actor.caller, actor.project.organizationId, 'session_recording:write')
  return stores.exclusiveTransaction([actor.project.id], apply)
}

export function createRecordings({ stores, clock, failed }: RecordingsParts) {
  const eraser = createEraser({ stores, clock, failed })
  const retrieve = async ({ project, caller }: Actor, sessionId: string): Promise<RecordingView> => {
    const now = clock.now()
    const recording = await findRecording(stores.recordings, project.id, sessionId, now)
    const [view] = await viewRecordings(stores, { project, caller, now }, [recording])
    return view as RecordingView
  }
  return {
    ...createRecordingList({ stores, clock }),
    retrieve,
    /** What a sharing token gives access to. */
    async retrieveShared(project: Project, sessionId: string) {
      return viewShared(await findRecording(stores.recordings, project.id, sessionId, clock.now()))
    },
    async patch(actor: Actor, sessionId: string, change: RecordingChange): Promise<RecordingView> {
      if (KNOWN.every((name) => change[name] === undefined)) {
        throw invalid(`At least one of '${KNOWN.join("', '")}' must be provided.`)
      }
      await changeRecording(stores, actor, sessionId, change, clock)
      return retrieve(actor, sessionId)
    },
    async remove(actor: Actor, sessionId: string): Promise<void> {
      if (!isStorable(sessionId) || !(await eraser.one(actor, sessionId))) throw recordingNotFound()
    },
    /** Those that exist and started at `dateFrom` or later; the others are ignored. */
    async bulkRemove(actor: Actor, sessionIds: string[], dateFrom: string | null) {
      const from = readStart(dateFrom ?? 'all', clock.now())
      const { erased, failed: left } = await eraser.many(actor, async (tx, now) => {
        const found = await tx.recordings.findMany(actor.project.id, sessionIds, now)
        return found.filter((recording) => recording.startAt >= from).map((recording) => recording.sessionId)
      })
      return {
        success: left.length === 0,
        deleted_count: erased.length - left.length,
        total_requested: sessionIds.length,
        failed_ids: left,
      }
    },
    /**
     * Deletes every recording of these persons, given by their distinct ids, except those assigned to another person by
     * hand. Returns how many each of them had.
     */
    async removeOfPersons(actor: Actor, persons: string[][]): Promise<number[]> {
      let owned: string[][] = []
      const { erased, failed: left } = await eraser.many(actor, async (tx) => {
        owned = []
        for (const distinctIds of persons) owned.push(await tx.recordings.ownedBy(actor.project.id, distinctIds))
        return [...new Set(owned.flat())]
      })
      if (left.length > 0) throw unavailable('Not all bytes of the recordings could be removed.', RETRY_SECONDS)
      const there = new Set(erased)
      return owned.map((ids) => ids.filter((id) => there.delete(id)).length)
    },
    async viewedBy({ project, caller }: Actor, sessionId: string) {
      await findRecording(stores.recordings, project.id, sessionId, clock.now())
      const views = await stores.recordings.viewsOf(project.id, [sessionId])
      const others = views.filter((view) => view.userId !== caller.user.id)
      return { viewed: others.length < views.length, other_viewers: others.length }
    },
    /** Also counts those viewed before; unknown ones are ignored. */
    async bulkView({ project, caller }: Actor, sessionIds: string[]) {
      const now = clock.now()
      const viewed = await stores.transaction(async (tx) => {
        const found = await tx.recordings.findMany(project.id, sessionIds, now)
        const ids = found.map((recording) => recording.sessionId)
        await tx.recordings.addViews(project.id, caller.user.id, ids, now)
        return ids.length
      })
      return { success: true, viewed_count: viewed, total_requested: sessionIds.length }
    },
    async bulkUnview({ project, caller }: Actor, sessionIds: string[]) {
      const removed = await stores.transaction((tx) =>
        tx.recordings.removeViews(project.id, caller.user.id, sessionIds),
      )
      return { success: true, not_viewed_count: removed, total_requested: sessionIds.length }
    },
    async exist(project: Project, sessionIds: string[]): Promise<Record<string, boolean>> {
      const found = await stores.recordings.findMany(project.id, sessionIds, clock.now())
      const known = new Set(found.map((recording) => recording.sessionId))
      return Object.fromEntries(sessionIds.map((id) => [id, known.has(id)]))
    },
  }
}

export type Recordings = ReturnType<typeof createRecordings>

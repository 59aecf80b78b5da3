/**
 * Deletes recordings so that a crash or a failing store never leaves a listed recording without its bytes.
 *
 * First one transaction replaces metadata, blocks, views and sharing by a tombstone: from then on nothing references
 * the bytes, and they cannot be requested. Then the bytes are removed, then the tombstone is marked as freed. The other
 * way round, a crash in between would leave a recording that is listed and cannot be played. After an interruption the
 * tombstone records what is still to be done: a repeated DELETE or the next start finishes it. The folder is removed as
 * a whole, so that bytes which never got a block (an interrupted write) are removed too.
 */
import { createKeyedSerialQueue } from '../../lib/concurrency/serial-queue.ts'
import { chunks } from '../../lib/lists/lists.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Actor } from '../../model/accounts/caller.ts'
import type { SqlWriters, Stores } from '../../model/stores.ts'
import { addActivity } from '../../rules/activity/activity-entry.ts'
import { recordingFolder } from '../../rules/recordings/recording.ts'

/** Recordings deleted per transaction: each may have thousands of blocks and snapshots. */
const AT_ONCE = 100

/** More than a crash leaves behind, and few enough for memory. */
const MAX_UNFREED = 10_000

export interface EraseParts {
  stores: Pick<Stores, 'recordings' | 'blobs' | 'transaction'>
  clock: Clock
  /** Called when bytes could not be removed; the tombstone stays unfreed. */
  failed: (error: unknown) => void
}

type Place = { projectId: number; sessionId: string }

export async function free({ stores, clock }: EraseParts, { projectId, sessionId }: Place): Promise<void> {
  await stores.blobs.removeAll(recordingFolder(projectId, sessionId))
  await stores.transaction((tx) => tx.recordings.markFreed(projectId, sessionId, clock.now()))
}

const replaceByTombstone = (
  tx: SqlWriters,
  { project, caller }: Actor,
  sessionIds: string[],
  now: number,
): Promise<string[]> => tx.recordings.replaceByTombstone(project.id, sessionIds, { userId: caller.user.id, at: now })

export interface Erased {
  /** The recordings that existed before. */
  erased: string[]
  /** Those of them whose bytes could not be removed. */
  failed: string[]
}

/** One entry for a single recording; of a bulk, one for all that are buried together. */
const note = (tx: SqlWriters, actor: Actor, itemId: string | null, name: string, now: number) => {
  const activity = itemId === null ? 'bulk_deleted' : 'deleted'
  return addActivity(tx, actor, { scope: 'Replay', itemId, activity, name, changes: null }, now)
}

/** Whether there is anything to free: a recording to replace by a tombstone, or an unfinished deletion. */
async function tombstoneOne(tx: SqlWriters, actor: Actor, sessionId: string, now: number): Promise<boolean> {
  const { id } = actor.project
  if (!(await tx.recordings.find(id, sessionId, now))) {
    return (await tx.recordings.findTombstone(id, sessionId))?.freedAt === null
  }
  await replaceByTombstone(tx, actor, [sessionId], now)
  await note(tx, actor, sessionId, sessionId, now)
  return true
}

export function createEraser(parts: EraseParts) {
  const { stores, clock, failed } = parts
  /** Work on one recording, in this process. */
  const inTurn = createKeyedSerialQueue()
  return {
    /**
     * False when there was nothing to delete. Of several concurrent calls, the others wait for the first and find
     * nothing.
     */
    one: (actor: Actor, sessionId: string): Promise<boolean> =>
      inTurn(`${actor.project.id}/${sessionId}`, async () => {
        const found = await stores.transaction((tx) => tombstoneOne(tx, actor, sessionId, clock.now()))
        if (found) await free(parts, { projectId: actor.project.id, sessionId })
        return found
      }),
    /** `choose` selects them in a transaction; they are deleted in portions, so that others write in between. */
    async many(actor: Actor, choose: (tx: SqlWriters, now: number) => Promise<string[]>): Promise<Erased> {
      const projectId = actor.project.id
      const chosen = await stores.transaction((tx) => choose(tx, clock.now()))
      const erased: string[] = []
      for (const part of chunks(chosen, AT_ONCE)) {
        const tombstoned = await stores.transaction(async (tx) => {
          const now = clock.now()
          const found = await replaceByTombstone(tx, actor, part, now)
          if (found.length > 0) await note(tx, actor, null, `${found.length} session recordings`, now)
          return found
        })
        erased.push(...tombstoned)
      }
      const left: string[] = []
      for (const sessionId of erased) {
        try {
          await free(parts, { projectId, sessionId })
        } catch (error) {
          failed(error)
          left.push(sessionId)
        }
      }
      return { erased, failed: left }
    },
  }
}

/** Removes the bytes of recordings whose deletion was interrupted; runs at the start. */
export async function finishErasing(parts: EraseParts): Promise<void> {
  for (const tombstone of await parts.stores.recordings.unfreed(MAX_UNFREED)) {
    await free(parts, tombstone).catch(parts.failed)
  }
}

/**
 * Removes expired recordings, then the oldest of each project that has reached its quota until it is below it: oldest
 * first, in portions, each with its bytes before the next. When interrupted, the next night continues; bytes that could
 * not be removed are recorded by their tombstones (see erase-recordings.ts).
 */
import type { Project } from '../../model/accounts/project.ts'
import type { StoredRecording } from '../../model/recordings/recording.ts'
import type { Stores } from '../../model/stores.ts'
import { everyProject } from '../../rules/accounts/every-project.ts'
import { activityEntry } from '../../rules/activity/activity-entry.ts'
import { type EraseParts, free } from './erase-recordings.ts'

export interface RetentionParts extends EraseParts {
  stores: Pick<Stores, 'recordings' | 'blobs' | 'transaction' | 'projects'>
  /** Called with the number of recordings and bytes removed. */
  removed: (recordings: number, bytes: number) => void
}

/** Recordings deleted per transaction: each may have thousands of rows. */
const AT_ONCE = 100

interface Sum {
  recordings: number
  bytes: number
}

/** As many of the oldest as are needed to free this many bytes. */
function enough(oldest: StoredRecording[], bytes: number): StoredRecording[] {
  let left = bytes
  return oldest.filter((recording) => {
    const wanted = left > 0
    left -= recording.bytes
    return wanted
  })
}

/** One run, and what it has removed of each project. */
class Run {
  readonly #parts: RetentionParts
  readonly #signal: AbortSignal | undefined
  readonly #sums = new Map<number, Sum>()

  constructor(parts: RetentionParts, signal: AbortSignal | undefined) {
    this.#parts = parts
    this.#signal = signal
  }

  async expired(now: number): Promise<void> {
    const { stores } = this.#parts
    for (;;) {
      const found = await stores.recordings.expired(now, AT_ONCE)
      if (found.length === 0) return
      await this.#remove(found)
    }
  }

  async beyond({ id, sessionRecordingQuotaBytes: quota }: Project): Promise<void> {
    const { recordings } = this.#parts.stores
    for (;;) {
      const tooMany = (await recordings.storedBytes(id)) - (quota ?? Number.POSITIVE_INFINITY)
      const oldest = tooMany < 0 ? [] : enough(await recordings.oldest(id, AT_ONCE), tooMany + 1)
      if (oldest.length === 0) return
      await this.#remove(oldest)
    }
  }

  /** One log entry per project with the removed amount. */
  async note(): Promise<void> {
    const { stores, clock } = this.#parts
    for (const [projectId, { recordings, bytes }] of this.#sums) {
      const name = `${recordings} session recordings, ${bytes} bytes`
      const subject = { scope: 'Replay', itemId: null, activity: 'expired', name, changes: null }
      const now = clock.now()
      await stores.transaction((tx) => tx.activity.add(activityEntry({ projectId, caller: null, ...subject }, now)))
    }
  }

  async #remove(found: StoredRecording[]): Promise<void> {
    this.#signal?.throwIfAborted()
    const { stores, clock, failed, removed } = this.#parts
    await stores.transaction(async (tx) => {
      const by = { userId: null, at: clock.now() }
      for (const { projectId, sessionId } of found) await tx.recordings.replaceByTombstone(projectId, [sessionId], by)
    })
    for (const recording of found) {
      await free(this.#parts, recording).catch(failed)
      const sum = this.#sums.get(recording.projectId) ?? { recordings: 0, bytes: 0 }
      sum.recordings += 1
      sum.bytes += recording.bytes
      this.#sums.set(recording.projectId, sum)
      removed(1, recording.bytes)
    }
  }
}

/** For the nightly run: removes what has expired by `now`. */
export async function removeExpired(parts: RetentionParts, now: number, signal?: AbortSignal): Promise<void> {
  const run = new Run(parts, signal)
  try {
    await run.expired(now)
    for await (const project of everyProject(parts.stores.projects)) {
      if (project.sessionRecordingQuotaBytes !== null) await run.beyond(project)
    }
  } finally {
    await run.note()
  }
}

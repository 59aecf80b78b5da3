/**
 * Whether a project may store more replay bytes. The stored total is read from the store every few seconds and updated
 * in memory in between, so that a limit is exceeded by no more than what is in progress, and costs nothing where there
 * is none.
 */
import type { Clock } from '../../lib/time/clock.ts'
import { SECOND } from '../../lib/time/time.ts'
import type { Project } from '../../model/accounts/project.ts'
import type { RecordingReader } from '../../model/recordings/recording.ts'

const LOOK_EVERY = 5 * SECOND

export interface QuotaParts {
  recordings: Pick<RecordingReader, 'storedBytes'>
  clock: Clock
}

export function createQuota({ recordings, clock }: QuotaParts) {
  const used = new Map<number, { bytes: number; at: number }>()
  return {
    async isSpent({ id, sessionRecordingQuotaBytes }: Project): Promise<boolean> {
      if (sessionRecordingQuotaBytes === null) return false
      const now = clock.steady()
      let seen = used.get(id)
      if (!seen || now - seen.at >= LOOK_EVERY) {
        seen = { bytes: await recordings.storedBytes(id), at: now }
        used.set(id, seen)
      }
      return seen.bytes >= sessionRecordingQuotaBytes
    },
    stored(projectId: number, bytes: number): void {
      const seen = used.get(projectId)
      if (seen) seen.bytes += bytes
    },
  }
}

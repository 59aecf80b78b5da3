/** Recordings, put together: what users read and change of them, and what is removed of them by time. */
import type { Logger } from 'pino'
import type { Clock } from '../../lib/time/clock.ts'
import { finishErasing } from './erase-recordings.ts'
import { createRecordings, type RecordingsParts } from './recordings.ts'
import { type RetentionParts, removeExpired } from './retention.ts'

export interface RecordingsFeatureParts {
  stores: RecordingsParts['stores'] & RetentionParts['stores']
  clock: Clock
  logger: Logger
  /** So many recordings and bytes went by age or quota. */
  removed: (recordings: number, bytes: number) => void
}

export function createRecordingsFeature({ stores, clock, logger, removed }: RecordingsFeatureParts) {
  const failed = (err: unknown) =>
    logger.error({ err }, 'bytes of a deleted recording could not be removed; tried again at the next start')
  const parts = { stores, clock, failed, removed }
  return {
    ...createRecordings(parts),
    /** Removes the bytes of recordings whose deletion was cut off by a stop. */
    finishErasing: () => finishErasing(parts),
    /** Removes recordings by age and quota. */
    removeExpired: (now: number, signal: AbortSignal) => removeExpired(parts, now, signal),
  }
}

export type RecordingsFeature = ReturnType<typeof createRecordingsFeature>

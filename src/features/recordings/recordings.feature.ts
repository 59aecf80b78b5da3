/** Recordings, put together: what users read and change of them, and what is removed of them by time. */
import type { Logger } from 'pino'
import type { Clock } from '../../lib/time/clock.ts'
import { finishErasing } from './erase-recordings.ts'
import { type JoinParts, joinEach, joinQuiet } from './join-blocks.ts'
import { createRecordings, type RecordingsParts } from './recordings.ts'
import { type RetentionParts, removeExpired } from './retention.ts'
import { type SweepResult, sweepBytes } from './sweep-bytes.ts'

interface Meters {
  /** So many recordings and bytes went by age or quota. */
  retention: (recordings: number, bytes: number) => void
  joined: JoinParts['joined']
  swept: (result: Omit<SweepResult, 'example'>) => void
}

export interface RecordingsFeatureParts {
  stores: RecordingsParts['stores'] & RetentionParts['stores']
  clock: Clock
  logger: Logger
  /** Whether each block is an object of its own. */
  inObjects: boolean
  meters: Meters
}

/** What is done for the bytes of recordings by time. */
function byteWork({ stores, clock, logger, inObjects, meters }: RecordingsFeatureParts) {
  const notJoined = (err: unknown) =>
    logger.warn({ err }, 'the objects of a recording could not be joined; tried again later')
  const joinParts = { stores, clock, joined: meters.joined, notJoined }
  const swept = (result: SweepResult) => {
    meters.swept(result)
    const { orphans, orphanBytes, missing, example } = result
    const facts = { orphans, orphanBytes, missing, ...(example && { example }) }
    if (missing > 0) logger.error(facts, 'bytes of recordings are missing; what nothing named was removed')
    else if (orphans > 0) logger.warn(facts, 'bytes that belonged to no recording were removed')
  }
  const join: Parameters<typeof sweepBytes>[0]['join'] = (places, run) => joinEach(joinParts, places, run)
  return {
    /** Joins the objects of recordings to which nothing comes any more; null where they are files. */
    joinBlocks: inObjects ? (now: number, signal: AbortSignal) => joinQuiet(joinParts, now, signal) : null,
    /** Removes bytes that belong to no recording, and counts those that are missing. */
    sweepBytes: (now: number, signal: AbortSignal) =>
      sweepBytes({ stores, join: inObjects ? join : null, swept }, { now, signal }),
  }
}

export function createRecordingsFeature(given: RecordingsFeatureParts) {
  const { stores, clock, logger, meters } = given
  const failed = (err: unknown) =>
    logger.error({ err }, 'bytes of a deleted recording could not be removed; tried again at the next start')
  const parts = { stores, clock, failed, removed: meters.retention }
  return {
    ...createRecordings(parts),
    ...byteWork(given),
    /** Removes the bytes of recordings whose deletion was cut off by a stop. */
    finishErasing: () => finishErasing(parts),
    /** Removes recordings by age and quota. */
    removeExpired: (now: number, signal: AbortSignal) => removeExpired(parts, now, signal),
  }
}

export type RecordingsFeature = ReturnType<typeof createRecordingsFeature>

/** Deletions of events, put together: those that persons' owners asked for, and those by age. */
import type { Logger } from 'pino'
import type { Clock } from '../../lib/time/clock.ts'
import type { Compaction } from '../../model/events/erasure.ts'
import { nextDeletionRun } from '../../rules/erasure/deletion-schedule.ts'
import { createDeletionSummary, type SummaryParts } from './deletion-summary.ts'
import { createDeletions, type DeletionParts } from './deletions.ts'
import { type ExpiredEventsParts, removeExpiredEvents } from './expired-events.ts'

export interface DeletionsFeatureParts {
  stores: DeletionParts['stores'] & ExpiredEventsParts['stores'] & SummaryParts['stores']
  clock: Clock
  logger: Logger
}

export function createDeletionsFeature({ stores, clock, logger }: DeletionsFeatureParts) {
  const compacted = (bytes: Compaction) => {
    // A small file may be no smaller afterwards.
    if (bytes.after < bytes.before) logger.info(bytes, 'the event store gave room back')
  }
  const deletions = createDeletions({
    stores,
    clock,
    done: (counts) => logger.info(counts, 'events of deleted persons are gone'),
    late: (requests) => logger.error({ requests }, 'event deletions are late by more than an hour; trying again'),
    compacted,
    logHeld: () => logger.warn('deleted values are still in the SQL store’s log, which is being read; emptied later'),
  })
  return {
    ...deletions,
    summary: createDeletionSummary({ stores, clock }),
    /** After the clock went back: what was asked for while it was ahead is due with the next run. */
    rewindSchedule: (now: number): Promise<unknown> =>
      stores.transaction((tx) => tx.deletions.bringForward(nextDeletionRun(now))),
    /** Both rewrite events, so never at the same time. */
    foldOwners: (signal: AbortSignal) =>
      stores.inTurn('erasure', (untilLost) => stores.events.foldOwners(untilLost), signal),
    /** Removes events by age, where a project has set one. */
    removeExpiredEvents: (now: number, signal: AbortSignal) =>
      removeExpiredEvents({ stores, clock, compacted }, now, signal),
  }
}

export type DeletionsFeature = ReturnType<typeof createDeletionsFeature>

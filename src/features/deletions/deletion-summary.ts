/** Where the event deletions of a project stand: what waits, what the run does now, and what the last one did. */
import type { Clock } from '../../lib/time/clock.ts'
import { formatInstant, formatOptional } from '../../lib/time/time.ts'
import type { Project } from '../../model/accounts/project.ts'
import type { DeletionRun } from '../../model/persons/deletion-run.ts'
import type { Stores } from '../../model/stores.ts'
import { nextDeletionRun } from '../../rules/erasure/deletion-schedule.ts'
import { isUnderWay } from './run-progress.ts'

export interface SummaryParts {
  stores: Pick<Stores, 'deletions' | 'deletionRuns'>
  clock: Clock
}

/** Idle since the newest run ended, or was last seen. */
function viewPhase(newest: DeletionRun | null, now: number) {
  if (newest && isUnderWay(newest, now)) return { phase: newest.phase, since: formatInstant(newest.phaseSince) }
  return { phase: 'idle' as const, since: formatOptional(newest && (newest.finishedAt ?? newest.seenAt)) }
}

const viewRun = ({ startedAt, finishedAt, counts, bytesFreed }: DeletionRun) => ({
  started_at: formatInstant(startedAt),
  finished_at: formatInstant(finishedAt ?? startedAt),
  ...counts,
  bytes_given_back: bytesFreed,
})

export const createDeletionSummary =
  ({ stores, clock }: SummaryParts) =>
  async ({ id }: Project) => {
    const now = clock.now()
    const [{ count, earliest }, { newest, finished }] = await Promise.all([
      stores.deletions.waiting(id),
      stores.deletionRuns.latest(id),
    ])
    return {
      pending: count,
      scheduled_for: formatInstant(earliest ?? nextDeletionRun(now)),
      ...viewPhase(newest, now),
      last_run: finished && viewRun(finished),
    }
  }

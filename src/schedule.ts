/**
 * All recurring work, with its cron expression in UTC, and all kinds of background jobs.
 * Destructive work removes expired data. It waits while the clock is not trusted, and uses the
 * instant at which it was claimed: a jump of the clock while it runs makes nothing more due.
 */
import type { Recurring } from './jobs/recurring.ts'
import { Unworkable } from './lib/errors.ts'
import { removeInPortions } from './lib/lists/remove-in-portions.ts'
import { DAY, HOUR, MINUTE } from './lib/time/time.ts'
import { ANSWERS_KEPT_MS } from './model/idempotency.ts'
import {
  CLEAR_HISTORY,
  CLEAR_PROJECT,
  type Job,
  type Lease,
  MAKE_BACKUP,
  REFORMAT_HISTORY,
  RUN_DELETIONS,
  TRUNCATE_LOG,
  type Worker,
} from './model/job.ts'
import type { DeletionChoice } from './model/persons/deletion.ts'
import type { Stores } from './model/stores.ts'

/** Removes what was due by `now`. */
type Removing = (now: number, signal: AbortSignal) => Promise<void>

export interface ScheduleParts {
  stores: Pick<Stores, 'transaction'>
  /** Removes bytes of deleted recordings that an interrupted deletion left behind. */
  finishErasing: () => Promise<void>
  /** Joins the objects of recordings that are quiet; null where there are none. */
  joinBlocks: Removing | null
  /** Removes bytes that belong to no recording, and counts those that are missing. */
  sweepBytes: Removing
  /** Removes files of recordings that were begun and given up. */
  sweepDrafts: Removing
  /** Looks whether the mail server can be used; null without one. */
  checkMail: (() => Promise<void>) | null
  /** Creates the deliveries of subscriptions that are due. */
  createDueDeliveries: (signal: AbortSignal) => Promise<unknown>
  /** Removes recordings by age and quota. */
  removeExpired: Removing
  /** Removes events and the property history by age, where a project has set one. */
  removeExpiredEvents: Removing
  /** Removes ingestion warnings by age and number. */
  removeExpiredWarnings: Removing
  /** Removes sign-ins that have ended, and what else of signing in is over. */
  removeEndedSignIns: Removing
  /** Runs pending event deletions. */
  runDeletions: (choice: DeletionChoice, signal: AbortSignal) => Promise<unknown>
  /** Removes what is left of a deleted person's property history. */
  clearHistory: (personId: number, signal: AbortSignal) => Promise<void>
  /** Brings the property history of an earlier version into the present format. */
  reformatHistory: (signal: AbortSignal) => Promise<void>
  /** Clears what is left of a removed project. */
  clearProject: (projectId: number, signal: AbortSignal) => Promise<void>
  /** Truncates the SQL store's write-ahead log, which still holds deleted data. */
  truncateLog: (signal: AbortSignal) => Promise<void>
  /** Makes a backup in a folder that is empty. */
  makeBackup: (folder: string, signal: AbortSignal) => Promise<unknown>
  /** Completes what an earlier version stored of people in the event store. */
  completePeople: (signal: AbortSignal) => Promise<void>
  /** Writes owners of ids that have changed into their events. */
  foldOwners: (signal: AbortSignal) => Promise<void>
  /** Logs overdue deletions, and runs them. */
  catchUpDeletions: Removing
}

/** A retried event counts once within this time. */
const REMEMBER_EVENTS = 7 * DAY
/** Longer than the longest window of a rate limit. */
const COUNTED_FOR = 2 * HOUR

/** For the bytes of recordings. */
const byteWork = ({ joinBlocks, sweepBytes, sweepDrafts }: ScheduleParts): Recurring[] => [
  {
    name: 'sweep-recording-drafts',
    cron: '*/10 * * * *',
    destructive: true,
    run: (_, { now, signal }) => sweepDrafts(now, signal),
  },
  {
    name: 'sweep-recording-bytes',
    // After the removals of the night.
    cron: '17 3 * * *',
    destructive: true,
    run: (_, { now, signal }) => sweepBytes(now, signal),
  },
  ...(joinBlocks === null
    ? []
    : [
        {
          name: 'join-recording-blocks',
          cron: '22 * * * *',
          // A clock that is ahead would have everything joined that still grows.
          destructive: true,
          run: (_: Job, { now, signal }: Lease) => joinBlocks(now, signal),
        },
      ]),
]

/** What is remembered for a time. */
const forgetting = ({ stores, removeEndedSignIns }: ScheduleParts): Recurring[] => [
  {
    name: 'forget-event-uuids',
    cron: '17 * * * *',
    destructive: true,
    run: (_, { now, signal }) =>
      removeInPortions(
        (limit) => stores.transaction((tx) => tx.intake.forgetUuids(now - REMEMBER_EVENTS, limit)),
        signal,
      ),
  },
  {
    name: 'forget-idempotency-keys',
    cron: '27 * * * *',
    destructive: true,
    run: (_, { now, signal }) =>
      removeInPortions(
        (limit) => stores.transaction((tx) => tx.idempotency.removeBefore(now - ANSWERS_KEPT_MS, limit)),
        signal,
      ),
  },
  {
    name: 'forget-counted-requests',
    cron: '37 * * * *',
    destructive: true,
    run: (_, { now, signal }) =>
      removeInPortions(
        (limit) => stores.transaction((tx) => tx.countedRequests.removeBefore(now - COUNTED_FOR, limit)),
        signal,
      ),
  },
  {
    name: 'forget-sign-ins',
    cron: '47 * * * *',
    destructive: true,
    run: (_, { now, signal }) => removeEndedSignIns(now, signal),
  },
]

export const schedule = (parts: ScheduleParts): Recurring[] => {
  const { checkMail } = parts
  return [
    ...forgetting(parts),
    {
      name: 'delete-events',
      // Must agree with rules/erasure/deletion-schedule.ts.
      cron: '0 5 * * 0',
      destructive: true,
      run: async (_, { now, signal }) => {
        await parts.runDeletions({ dueAt: now }, signal)
      },
    },
    {
      name: 'catch-up-deletions',
      // First 61 minutes after the batch, then every hour.
      cron: '1 * * * *',
      destructive: true,
      run: (_, { now, signal }) => parts.catchUpDeletions(now, signal),
    },
    {
      name: 'remove-expired-recordings',
      cron: '7 2 * * *',
      destructive: true,
      run: (_, { now, signal }) => parts.removeExpired(now, signal),
    },
    {
      name: 'remove-expired-events',
      cron: '47 2 * * *',
      destructive: true,
      run: (_, { now, signal }) => parts.removeExpiredEvents(now, signal),
    },
    {
      name: 'remove-expired-warnings',
      cron: '57 2 * * *',
      destructive: true,
      run: (_, { now, signal }) => parts.removeExpiredWarnings(now, signal),
    },
    {
      name: 'fold-owners',
      // After the removals of the night, which it waits for.
      cron: '27 3 * * *',
      destructive: false,
      run: (_, { signal }) => parts.foldOwners(signal),
    },
    { name: 'finish-erasing-recordings', cron: '37 2 * * *', destructive: true, run: parts.finishErasing },
    ...byteWork(parts),
    {
      name: 'complete-people',
      // At the first start after an upgrade at once; then for batches of an earlier version that were parked.
      cron: '33 * * * *',
      destructive: false,
      run: (_, { signal }) => parts.completePeople(signal),
    },
    {
      name: 'deliver-due-subscriptions',
      cron: '* * * * *',
      destructive: false,
      run: async (_, { signal }) => {
        await parts.createDueDeliveries(signal)
      },
    },
    ...(checkMail ? [{ name: 'check-mail', cron: '* * * * *', destructive: false, run: checkMail }] : []),
  ]
}

/** The id in a job's payload. */
function idIn(payload: unknown, name: 'projectId' | 'personId'): number {
  const id = ((payload ?? {}) as Record<string, unknown>)[name]
  if (typeof id !== 'number') throw new Unworkable(`The job does not say its ${name}.`)
  return id
}

function folderIn(payload: unknown): string {
  const { folder } = (payload ?? {}) as Record<string, unknown>
  if (typeof folder !== 'string') throw new Unworkable('The job does not say its folder.')
  return folder
}

/** Jobs that do not recur: other processes and requests add them. They were requested by a user, so a clock hold does not stop them. */
export const workers = (parts: ScheduleParts): Worker[] => [
  {
    kind: CLEAR_HISTORY,
    atOnce: 1,
    maxAttempts: 20,
    backoff: (attempts) => attempts * MINUTE,
    run: ({ payload }, { signal }) => parts.clearHistory(idIn(payload, 'personId'), signal),
  },
  {
    kind: REFORMAT_HISTORY,
    atOnce: 1,
    maxAttempts: 20,
    backoff: (attempts) => attempts * MINUTE,
    run: (_, { signal }) => parts.reformatHistory(signal),
  },
  {
    kind: CLEAR_PROJECT,
    atOnce: 1,
    maxAttempts: 20,
    backoff: (attempts) => attempts * MINUTE,
    run: ({ payload }, { signal }) => parts.clearProject(idIn(payload, 'projectId'), signal),
  },
  {
    kind: TRUNCATE_LOG,
    atOnce: 1,
    maxAttempts: 100,
    backoff: (attempts) => attempts * MINUTE,
    run: (_, { signal }) => parts.truncateLog(signal),
  },
  {
    kind: RUN_DELETIONS,
    atOnce: 1,
    maxAttempts: 3,
    backoff: () => MINUTE,
    run: async ({ payload }, { signal }) => {
      await parts.runDeletions({ projectId: idIn(payload, 'projectId') }, signal)
    },
  },
  {
    kind: MAKE_BACKUP,
    atOnce: 1,
    // The operator is told, or sees it among the parked jobs, and asks again.
    maxAttempts: 1,
    backoff: () => MINUTE,
    run: async ({ payload }, { signal }) => {
      await parts.makeBackup(folderIn(payload), signal)
    },
  },
]

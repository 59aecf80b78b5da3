/** The table of contents of time: every recurring thing, with its cron line in UTC, and every kind of work for later. */
import type { Recurring } from './jobs/recurring.ts'
import type { Clock } from './lib/clock.ts'
import { Unworkable } from './lib/errors.ts'
import { DAY, MINUTE } from './lib/time.ts'
import type { DeletionChoice } from './model/deletion.ts'
import { CLEAR_PROJECT, RUN_DELETIONS, type Worker } from './model/job.ts'
import type { Stores } from './model/stores.ts'

type Stoppable = (signal: AbortSignal) => Promise<void>

export interface ScheduleParts {
  stores: Pick<Stores, 'transaction'>
  clock: Clock
  /** Removes bytes of deleted recordings that an interrupted deletion left. */
  finishErasing: () => Promise<void>
  /** Has delivered what subscriptions are due. */
  takeDue: (signal: AbortSignal) => Promise<unknown>
  /** Removes recordings by age and quota. */
  removeExpired: Stoppable
  /** Removes events by age, where a project has set one. */
  removeExpiredEvents: Stoppable
  /** Removes ingestion warnings by age and number. */
  removeExpiredWarnings: Stoppable
  /** Carries out pending event deletions. */
  runDeletions: (choice: DeletionChoice, signal: AbortSignal) => Promise<unknown>
  /** Clears what is left of a removed project. */
  clearProject: (projectId: number, signal: AbortSignal) => Promise<void>
  /** Tells of deletions that are late, and carries them out. */
  catchUpDeletions: Stoppable
}

/** A retried event counts once within this time. */
const REMEMBER_EVENTS = 7 * DAY
/** An Idempotency-Key is kept this long. */
const REMEMBER_ANSWERS = DAY

export const schedule = (parts: ScheduleParts): Recurring[] => {
  const { stores, clock } = parts
  return [
    {
      name: 'forget-event-uuids',
      cron: '17 * * * *',
      run: async () => {
        await stores.transaction((tx) => tx.intake.forgetUuids(clock.now() - REMEMBER_EVENTS))
      },
    },
    {
      name: 'forget-idempotency-keys',
      cron: '27 * * * *',
      run: async () => {
        await stores.transaction((tx) => tx.idempotency.removeBefore(clock.now() - REMEMBER_ANSWERS))
      },
    },
    {
      name: 'delete-events',
      // rules/sunday.ts says the same.
      cron: '0 5 * * 0',
      run: async (_, { signal }) => {
        await parts.runDeletions({ dueAt: clock.now() }, signal)
      },
    },
    {
      name: 'catch-up-deletions',
      // A minute more than an hour after the batch, and then again and again.
      cron: '1 * * * *',
      run: (_, { signal }) => parts.catchUpDeletions(signal),
    },
    { name: 'remove-expired-recordings', cron: '7 2 * * *', run: (_, { signal }) => parts.removeExpired(signal) },
    { name: 'remove-expired-events', cron: '47 2 * * *', run: (_, { signal }) => parts.removeExpiredEvents(signal) },
    {
      name: 'remove-expired-warnings',
      cron: '57 2 * * *',
      run: (_, { signal }) => parts.removeExpiredWarnings(signal),
    },
    { name: 'finish-erasing-recordings', cron: '37 2 * * *', run: parts.finishErasing },
    {
      name: 'deliver-due-subscriptions',
      cron: '* * * * *',
      run: async (_, { signal }) => {
        await parts.takeDue(signal)
      },
    },
  ]
}

function projectOf(payload: unknown): number {
  const { projectId } = (payload ?? {}) as { projectId?: unknown }
  if (typeof projectId !== 'number') throw new Unworkable('The job does not say of which project.')
  return projectId
}

/** What is not recurring: other processes and requests leave it for the runner. */
export const workers = ({ runDeletions, clearProject }: ScheduleParts): Worker[] => [
  {
    kind: CLEAR_PROJECT,
    atOnce: 1,
    maxAttempts: 20,
    backoff: (attempts) => attempts * MINUTE,
    run: ({ payload }, { signal }) => clearProject(projectOf(payload), signal),
  },
  {
    kind: RUN_DELETIONS,
    atOnce: 1,
    maxAttempts: 3,
    backoff: () => MINUTE,
    run: async ({ payload }, { signal }) => {
      await runDeletions({ projectId: projectOf(payload) }, signal)
    },
  },
]

/** The table of contents of time: every recurring thing, with its cron line in UTC. */
import type { Recurring } from './jobs/recurring.ts'
import type { Clock } from './lib/clock.ts'
import { DAY } from './lib/time.ts'
import type { Stores } from './model/stores.ts'

export interface ScheduleParts {
  stores: Pick<Stores, 'transaction'>
  clock: Clock
  /** Removes bytes of deleted recordings that an interrupted deletion left. */
  finishErasing: () => Promise<void>
  /** Has delivered what subscriptions are due. */
  takeDue: (signal: AbortSignal) => Promise<number>
}

/** A retried event counts once within this time. */
const REMEMBER_EVENTS = 7 * DAY
/** An Idempotency-Key is kept this long. */
const REMEMBER_ANSWERS = DAY

export const schedule = ({ stores, clock, finishErasing, takeDue }: ScheduleParts): Recurring[] => [
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
  { name: 'finish-erasing-recordings', cron: '37 2 * * *', run: finishErasing },
  {
    name: 'deliver-due-subscriptions',
    cron: '* * * * *',
    run: async (_job, { signal }) => {
      await takeDue(signal)
    },
  },
]

/** The watch over the clock, with what it says in the log and what it moves when the clock went back. */
import type { AppParts } from './app-parts.ts'
import { rewindDates } from './features/deliveries/rewind-schedule.ts'
import { ClockWatch } from './jobs/clock-watch.ts'
import { describeHold } from './lib/time/clock-trust.ts'
import type { Stores } from './model/stores.ts'
import { nextDeletionRun } from './rules/erasure/deletion-schedule.ts'

export const buildClockWatch = (stores: Stores, { clock, logger }: AppParts): ClockWatch =>
  new ClockWatch({
    stores,
    clock,
    held: (hold) => logger.error(hold, `the clock is ${describeHold(hold)}`),
    released: () => logger.info('the clock is believed again; what is too old is removed as ever'),
    wentBack: async (now, by) => {
      logger.warn({ ms: by }, 'the clock went back; what waited for its old time waits no longer')
      await rewindDates(stores, now)
      // What was asked for while it was ahead.
      await stores.transaction((tx) => tx.deletions.bringForward(nextDeletionRun(now)))
    },
  })

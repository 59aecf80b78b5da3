/** A clock watch that reports nothing. */
import { ClockWatch } from '../../src/jobs/clock-watch.ts'
import type { Clock } from '../../src/lib/time/clock.ts'
import type { SqlStores } from '../../src/model/stores.ts'

export const quietWatch = (stores: SqlStores, clock: Clock): ClockWatch =>
  new ClockWatch({ stores, clock, held: () => {}, released: () => {}, wentBack: async () => {} })

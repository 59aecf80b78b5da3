/**
 * Removes ingestion warnings whose time is over, and what a project has beyond the number that is kept: while they are
 * written only so many go as come. A portion at a time, so that capture gets its turn; cut off, the next night goes on.
 */
import { setImmediate as turn } from 'node:timers/promises'
import { DAY } from '../../lib/time.ts'
import type { SqlWriters, Stores } from '../../model/stores.ts'
import { everyProject } from '../../rules/every-project.ts'

export interface ExpiredWarningsParts {
  stores: Pick<Stores, 'projects' | 'transaction'>
}

const KEPT_FOR = 30 * DAY
const AT_ONCE = 5_000

type Removal = (intake: SqlWriters['intake']) => Promise<number>

/** For the night: what is too old at `now`. */
export async function removeExpiredWarnings(
  { stores }: ExpiredWarningsParts,
  now: number,
  signal?: AbortSignal,
): Promise<void> {
  const repeat = async (removal: Removal): Promise<void> => {
    while ((await stores.transaction((tx) => removal(tx.intake))) === AT_ONCE) {
      signal?.throwIfAborted()
      await turn()
    }
  }
  const before = now - KEPT_FOR
  for await (const { id } of everyProject(stores.projects)) {
    signal?.throwIfAborted()
    await repeat((intake) => intake.forgetWarnings(id, before, AT_ONCE))
    await repeat((intake) => intake.trimWarnings(id, AT_ONCE))
  }
}

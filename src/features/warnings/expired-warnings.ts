/**
 * Removes expired ingestion warnings, and those of a project above its limit: writing a warning removes no more than it
 * adds. In portions, so that capture can write in between; when interrupted, the next night continues.
 */
import { removeInPortions } from '../../lib/lists/remove-in-portions.ts'
import { DAY } from '../../lib/time/time.ts'
import type { SqlWriters, Stores } from '../../model/stores.ts'
import { everyProject } from '../../rules/accounts/every-project.ts'

export interface ExpiredWarningsParts {
  stores: Pick<Stores, 'projects' | 'transaction'>
}

const KEPT_FOR = 30 * DAY

type Removal = (intake: SqlWriters['intake'], limit: number) => Promise<number>

/** For the nightly run: removes what is too old at `now`. */
export async function removeExpiredWarnings(
  { stores }: ExpiredWarningsParts,
  now: number,
  signal?: AbortSignal,
): Promise<void> {
  const remove = (some: Removal) =>
    removeInPortions((limit) => stores.transaction((tx) => some(tx.intake, limit)), signal)
  const before = now - KEPT_FOR
  for await (const { id } of everyProject(stores.projects)) {
    signal?.throwIfAborted()
    await remove((intake, limit) => intake.forgetWarnings(id, before, limit))
    await remove((intake, limit) => intake.trimWarnings(id, limit))
  }
}

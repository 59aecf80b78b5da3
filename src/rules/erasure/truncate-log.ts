/** The last step of every removal whose data must be gone from the files too: truncates the SQL store's write-ahead log. */
import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND } from '../../lib/time/time.ts'
import type { SqlStores } from '../../model/stores.ts'

const TRIES = 120
const PAUSE = SECOND / 4

/** Readers block it for a moment; false when that took too long. */
export async function tryTruncateLog(
  stores: Pick<SqlStores, 'truncateLog'>,
  signal: AbortSignal | undefined,
  maxTries = TRIES,
): Promise<boolean> {
  for (let tries = 1; !(await stores.truncateLog()); tries++) {
    if (tries >= maxTries) return false
    await sleep(PAUSE, undefined, signal ? { signal } : {})
  }
  return true
}

export async function truncateLog(stores: Pick<SqlStores, 'truncateLog'>, signal: AbortSignal): Promise<void> {
  if (await tryTruncateLog(stores, signal)) return
  throw new Error('What was deleted is still in the log of the SQL store: it is being read.')
}

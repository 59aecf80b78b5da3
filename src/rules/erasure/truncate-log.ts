/** The end of every removal that has to be gone from the files too: the log of the SQL store is emptied. */
import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND } from '../../lib/time/time.ts'
import type { SqlStores } from '../../model/stores.ts'

const TRIES = 120
const PAUSE = SECOND / 4

/** Whoever reads holds it up, for a moment; false when that was too long. */
export async function triedToEmptyLog(
  stores: Pick<SqlStores, 'emptyLog'>,
  signal: AbortSignal | undefined,
  atMost = TRIES,
): Promise<boolean> {
  for (let tries = 1; !(await stores.emptyLog()); tries++) {
    if (tries >= atMost) return false
    await sleep(PAUSE, undefined, signal ? { signal } : {})
  }
  return true
}

export async function emptyLog(stores: Pick<SqlStores, 'emptyLog'>, signal: AbortSignal): Promise<void> {
  if (await triedToEmptyLog(stores, signal)) return
  throw new Error('What was deleted is still in the log of the SQL store: it is being read.')
}

/** The end of every removal that has to be gone from the files too: the log of the SQL store is emptied. */
import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND } from '../lib/time.ts'
import type { SqlStores } from '../model/stores.ts'

const TRIES = 120
const PAUSE = SECOND / 4

/** Whoever reads holds it up, for a moment. */
export async function emptyLog(stores: Pick<SqlStores, 'emptyLog'>, signal: AbortSignal | undefined): Promise<void> {
  for (let tries = 1; !(await stores.emptyLog()); tries++) {
    if (tries >= TRIES) throw new Error('What was deleted is still in the log of the SQL store: it is being read.')
    await sleep(PAUSE, undefined, signal ? { signal } : {})
  }
}

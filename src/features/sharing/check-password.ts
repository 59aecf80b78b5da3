/**
 * Opens a share by password. At most 10 wrong tries in 10 minutes per token, counted in the store, so that neither a
 * restart nor a second process raises the limit. A try is counted before the password is checked and removed when it
 * was right: a hundred concurrent guesses get ten answers, not a hundred.
 */

import { throttled } from '../../lib/errors.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { MINUTE, SECOND } from '../../lib/time/time.ts'
import type { SharePassword } from '../../model/recordings/sharing.ts'
import type { Stores } from '../../model/stores.ts'
import { findLiveShare } from './live-share.ts'
import { isPassword } from './password-hash.ts'

const MAX_TRIES = 10
const WINDOW = 10 * MINUTE

export interface CheckParts {
  stores: Pick<Stores, 'sharing' | 'recordings' | 'projects' | 'transaction'>
  clock: Clock
}

async function matching(passwords: SharePassword[], given: string): Promise<SharePassword | null> {
  for (const password of passwords) if (await isPassword(given, password.hash)) return password
  return null
}

const noteTry = (stores: CheckParts['stores'], token: string, now: number): Promise<number> =>
  stores.transaction(async (tx) => {
    // Tries in the future were stored before the clock was set back: they must not lock visitors out until then.
    const tries = (await tx.passwordTries.since(token, now - WINDOW)).filter((at) => at <= now + MINUTE)
    const oldest = tries.at(-MAX_TRIES)
    if (oldest !== undefined) throw throttled((oldest + WINDOW - now) / SECOND, MAX_TRIES)
    return tx.passwordTries.add(token, now)
  })

/** The password that opens the share; null when it is wrong or the share is not live. */
export async function checkPassword(
  { stores, clock }: CheckParts,
  token: string,
  given: string,
): Promise<SharePassword | null> {
  const now = clock.now()
  const share = await findLiveShare(stores, token, now)
  if (!share) return null
  const attempt = await noteTry(stores, token, now)
  const { projectId, sessionId } = share.sharing
  const password = await matching(await stores.sharing.passwords(projectId, sessionId), given)
  if (password) await stores.transaction((tx) => tx.passwordTries.remove(attempt))
  return password
}

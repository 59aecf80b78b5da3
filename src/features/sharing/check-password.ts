/** Opens a share by password: at most 10 wrong tries in 10 minutes per token. */
import { throttled } from '../../lib/errors.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { SharePassword } from '../../model/recordings/sharing.ts'
import type { Stores } from '../../model/stores.ts'
import { isPassword } from '../../rules/accounts/password-hash.ts'
import { noteTry } from '../../rules/accounts/password-tries.ts'
import { findLiveShare } from './live-share.ts'

const MAX_TRIES = 10

export interface CheckParts {
  stores: Pick<Stores, 'sharing' | 'recordings' | 'projects' | 'transaction'>
  clock: Clock
}

async function matching(passwords: SharePassword[], given: string): Promise<SharePassword | null> {
  for (const password of passwords) if (await isPassword(given, password.hash)) return password
  return null
}

/** The password that opens the share; null when it is wrong or the share is not live. */
export async function checkPassword(
  { stores, clock }: CheckParts,
  token: string,
  given: string,
): Promise<SharePassword | null> {
  const now = clock.now()
  const share = await findLiveShare(stores, token, now)
  if (!share) return null
  const takeBack = await noteTry(stores, [{ subject: token, max: MAX_TRIES }], now, throttled)
  const { projectId, sessionId } = share.sharing
  const password = await matching(await stores.sharing.passwords(projectId, sessionId), given)
  if (password) await takeBack()
  return password
}

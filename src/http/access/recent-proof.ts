/** Who is signed in shows once more who it is, before something sensitive: a browser may have been left open. */
import { AppError } from '../../lib/errors.ts'
import { HOUR } from '../../lib/time/time.ts'
import type { Caller } from '../../model/accounts/caller.ts'

export function checkRecentProof({ credential }: Caller, now: number): void {
  if (credential.provedAt === null || now - credential.provedAt <= HOUR) return
  throw new AppError('denied', 'recent_sign_in_required', 'Sign in again to do this: you did so more than an hour ago.')
}

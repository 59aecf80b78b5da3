/** Signing in, put together: by password, key and link; the list of sign-ins; and forgetting what has ended. */

import { removeInPortions } from '../../lib/lists/remove-in-portions.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { DAY } from '../../lib/time/time.ts'
import type { Worker } from '../../model/job.ts'
import type { Stores } from '../../model/stores.ts'
import { TRIES_WINDOW } from '../../rules/accounts/password-tries.ts'
import { SIGN_IN_IDLE_MS, SIGN_IN_LIFE_MS } from '../../rules/accounts/sign-in-secret.ts'
import { createAccountLinks } from './account-links.ts'
import { createPasswordChange } from './change-password.ts'
import { createLogIn } from './log-in.ts'
import { createResetMail, type ResetMailParts } from './reset-mail.ts'
import { createSignIns, type Visitor } from './sign-ins.ts'

export interface SignInParts {
  stores: Pick<Stores, 'users' | 'keys' | 'signIns' | 'accountLinks' | 'transaction'>
  clock: Clock
  /** By which links are sent; null: not at all. */
  mail: Pick<ResetMailParts, 'mailer' | 'publicUrl' | 'failed'> | null
  /** Cached callers may be out of date. */
  changed: () => void
  /** Called when a one-time link was used: what it was written to may go. */
  linkUsed: () => void
}

/** So that a link that is used or expired says so for a while, and not that it never existed. */
const LINKS_KEPT_MS = 30 * DAY

export function createSignInFeature({ stores, clock, mail, changed, linkUsed }: SignInParts) {
  const signIns = createSignIns({ stores, clock, changed })
  const logIn = createLogIn({ stores, clock })
  const resetMail = mail && createResetMail({ stores, clock, ...mail })
  return {
    signIns,
    links: createAccountLinks({ stores, clock, changed, linkUsed }, signIns),
    changePassword: createPasswordChange({ stores, clock, changed }, logIn),
    preflight: async () => ({
      initiated: await stores.users.havePasswords(),
      email_service_available: resetMail !== null,
    }),
    /** Has a link to a new password sent, if a user has this address. */
    async askForReset(email: string, ip: string): Promise<void> {
      await resetMail?.ask(email, ip)
    },
    /** What the runner has to do for it. */
    workers: (resetMail ? [resetMail.worker] : []) satisfies Worker[],
    async byPassword(email: string, password: string, visitor: Visitor) {
      const { id } = await logIn.byPassword(email, password, visitor.ip)
      return signIns.admit({ userId: id, via: 'password', keyId: null }, visitor)
    },
    async byKey(secret: string, visitor: Visitor) {
      return signIns.admit({ via: 'key', ...(await logIn.byKey(secret, visitor.ip)) }, visitor)
    },
    /** Removes sign-ins that have ended by `now`, links and tries that nobody asks for any more. */
    async removeEnded(now: number, signal: AbortSignal): Promise<void> {
      await stores.transaction(async (tx) => {
        await tx.signIns.removeEnded(now - SIGN_IN_IDLE_MS, now - SIGN_IN_LIFE_MS)
        await tx.accountLinks.removeExpired(now - LINKS_KEPT_MS)
      })
      const removeTries = (limit: number) =>
        stores.transaction((tx) => tx.passwordTries.removeBefore(now - TRIES_WINDOW, limit))
      await removeInPortions(removeTries, signal)
    },
  }
}

export type SignInFeature = ReturnType<typeof createSignInFeature>

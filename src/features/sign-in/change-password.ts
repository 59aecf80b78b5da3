/** A user changes its own password; all its other sign-ins end. */
import { checkRecentProof } from '../../http/access/recent-proof.ts'
import { denied, invalid } from '../../lib/errors.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Caller } from '../../model/accounts/caller.ts'
import type { Stores } from '../../model/stores.ts'
import { hashPassword } from '../../rules/accounts/password-hash.ts'
import type { LogIn } from './log-in.ts'
import { checkNewPassword } from './new-password.ts'

export interface PasswordChange {
  password: string
  /** Required where there is one. */
  current: string | null
}

interface ChangeParts {
  stores: Pick<Stores, 'users' | 'transaction'>
  clock: Clock
  changed: () => void
}

export const createPasswordChange =
  ({ stores, clock, changed }: ChangeParts, { isOwnPassword }: Pick<LogIn, 'isOwnPassword'>) =>
  async (caller: Caller, { password, current }: PasswordChange, ip: string): Promise<void> => {
    const { credential, user } = caller
    // A key must not become a way to sign in as its user.
    if (credential.keyId !== null) throw denied('A password is changed by who has signed in with one, or by a link.')
    checkRecentProof(caller, clock.now())
    checkNewPassword(password)
    const hasPassword = (await stores.users.passwordHash(user.id)) !== null
    if (hasPassword && !(await isOwnPassword(user, current ?? '', ip))) {
      throw invalid('Your current password is incorrect.', 'current_password', 'incorrect_password')
    }
    const hash = await hashPassword(password, 'user')
    await stores.transaction(async (tx) => {
      await tx.users.setPassword(user.id, hash)
      await tx.signIns.removeOthers(user.id, credential.id)
    })
    changed()
  }

/**
 * A share as its visitors see it: dead, locked by a password, or open. The secret that signs grants (what a correct
 * password earns) is created when it is first needed and kept in the store, unless the operator set one.
 */
import type { Clock } from '../../lib/time/clock.ts'
import type { OpenShare } from '../../model/recordings/sharing.ts'
import type { Stores } from '../../model/stores.ts'
import { secretFinder } from '../../rules/accounts/server-secret.ts'
import { checkPassword } from './check-password.ts'
import { findLiveShare } from './live-share.ts'
import { GRANT_LIFE, readGrant, writeGrant } from './share-grant.ts'

export interface SharedViewParts {
  stores: Pick<Stores, 'sharing' | 'recordings' | 'projects' | 'transaction'>
  clock: Clock
  /** The operator's own secret; preferred to the stored one. */
  secret: string | null
}

const SECRET = 'share-grants'

export function createSharedView({ stores, clock, secret }: SharedViewParts) {
  const findSecret = secretFinder({ stores, secret, name: SECRET })
  const opens = async (token: string, grants: string[], projectId: number, sessionId: string): Promise<boolean> => {
    if (grants.length === 0) return false
    const signer = await findSecret()
    const ids = grants.map((grant) => readGrant(signer, token, grant, clock.now()))
    const passwords = await stores.sharing.passwords(projectId, sessionId)
    return passwords.some((password) => ids.includes(password.id))
  }
  return {
    /** Null when the token is not live. */
    async open(token: string, grants: string[]): Promise<OpenShare | null> {
      const share = await findLiveShare(stores, token, clock.now())
      if (!share) return null
      const { projectId, sessionId, startAt, endAt, snapshotSource } = share.recording
      const { passwordRequired } = share.sharing
      const locked = passwordRequired && !(await opens(token, grants, projectId, sessionId))
      const settings = share.sharing.settings ?? {}
      return { projectId, sessionId, startAt, endAt, source: snapshotSource, settings, passwordRequired, locked }
    },
    /** The grant that a correct password earns; null when it is wrong. Refuses callers with too many wrong tries. */
    async unlock(token: string, password: string): Promise<{ grant: string; lifeSeconds: number } | null> {
      const found = await checkPassword({ stores, clock }, token, password)
      if (!found) return null
      const expiresAt = clock.now() + GRANT_LIFE
      const grant = writeGrant(await findSecret(), token, { passwordId: found.id, expiresAt })
      return { grant, lifeSeconds: GRANT_LIFE / 1_000 }
    },
  }
}

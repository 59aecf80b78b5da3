/**
 * Sign-ins of users: made by password, one-time link or key, proved again in the same way, listed and ended. One that was
 * made with a key has that key's rights and ends with it.
 */
import { denied, notFound } from '../../lib/errors.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { formatInstant, SECOND } from '../../lib/time/time.ts'
import type { Caller } from '../../model/accounts/caller.ts'
import type { SignIn, SignInWay } from '../../model/accounts/sign-in.ts'
import type { SqlWriters, Stores } from '../../model/stores.ts'
import {
  hasEnded,
  hashSignIn,
  newSecret,
  newSignInId,
  SIGN_IN_IDLE_MS,
  SIGN_IN_LIFE_MS,
} from '../../rules/accounts/sign-in-secret.ts'

export interface SignInsParts {
  stores: Pick<Stores, 'signIns' | 'transaction'>
  clock: Clock
  /** Cached callers may be out of date. */
  changed: () => void
}

/** The browser that signs in. */
export interface Visitor {
  ip: string
  userAgent: string
  /** The secret of the sign-in that it has already; null when it has none. */
  present: string | null
}

/** What a browser is given. */
export interface Admission {
  secret: string
  lifeSeconds: number
}

/** Who has shown what. */
interface Proof {
  userId: number
  via: SignInWay
  keyId: string | null
}

const USER_AGENT_LENGTH = 400

/** The same user by the same key, or by password after a link: the sign-in goes on. */
const goesOn = (present: SignIn, { userId, keyId }: Proof): boolean =>
  present.userId === userId && present.keyId === keyId

const view = (signIn: SignIn, currentId: string) => ({
  id: signIn.id,
  via: signIn.via,
  user_agent: signIn.userAgent,
  ip: signIn.ip,
  is_current: signIn.id === currentId,
  created_at: formatInstant(signIn.createdAt),
  last_used_at: formatInstant(signIn.lastUsedAt),
  expires_at: formatInstant(Math.min(signIn.lastUsedAt + SIGN_IN_IDLE_MS, signIn.createdAt + SIGN_IN_LIFE_MS)),
})

/** Checked before the body is read. */
export function onlySignedIn({ credential }: Caller): void {
  if (credential.kind === 'key') throw denied('This is about the sign-in of a browser; a key has none.')
}

/** A sign-in by key sees and ends those of the same key: it has no more rights than that. */
const isOwn = ({ credential, user }: Caller, signIn: SignIn): boolean =>
  signIn.userId === user.id && (credential.keyId === null || signIn.keyId === credential.keyId)

export function createSignIns({ stores, clock, changed }: SignInsParts) {
  const living = async (secret: string): Promise<SignIn | null> => {
    const found = await stores.signIns.findByHash(hashSignIn(secret))
    return found && !hasEnded(found, clock.now()) ? found : null
  }
  const own = async (caller: Caller): Promise<SignIn[]> => {
    const all = await stores.signIns.listOfUser(caller.user.id)
    return all.filter((signIn) => isOwn(caller, signIn) && !hasEnded(signIn, clock.now()))
  }
  const make = async (tx: SqlWriters, proof: Proof, visitor: Visitor, now: number): Promise<Admission> => {
    const secret = newSecret()
    const { ip } = visitor
    const userAgent = visitor.userAgent.slice(0, USER_AGENT_LENGTH)
    const times = { createdAt: now, lastUsedAt: now, provedAt: now }
    await tx.signIns.create({ id: newSignInId(), ...proof, userAgent, ip, ...times }, hashSignIn(secret))
    return { secret, lifeSeconds: SIGN_IN_LIFE_MS / SECOND }
  }
  return {
    make,
    /** Signs in, or proves a present sign-in again; one of somebody else in the same browser ends. */
    async admit(proof: Proof, visitor: Visitor): Promise<Admission> {
      const now = clock.now()
      const present = visitor.present === null ? null : await living(visitor.present)
      const admission = await stores.transaction(async (tx) => {
        if (present && visitor.present !== null && goesOn(present, proof)) {
          await tx.signIns.prove(present.id, now)
          return { secret: visitor.present, lifeSeconds: (present.createdAt + SIGN_IN_LIFE_MS - now) / SECOND }
        }
        if (present) await tx.signIns.remove(present.id)
        return make(tx, proof, visitor, now)
      })
      changed()
      return { ...admission, lifeSeconds: Math.floor(admission.lifeSeconds) }
    },
    list: async (caller: Caller) => (await own(caller)).map((signIn) => view(signIn, caller.credential.id)),
    async end(caller: Caller, id: string): Promise<void> {
      if (!(await own(caller)).some((signIn) => signIn.id === id)) throw notFound()
      await stores.transaction((tx) => tx.signIns.remove(id))
      changed()
    },
    async endOthers(caller: Caller): Promise<number> {
      const others = (await own(caller)).filter(({ id }) => id !== caller.credential.id)
      await stores.transaction(async (tx) => {
        for (const { id } of others) await tx.signIns.remove(id)
      })
      changed()
      return others.length
    },
  }
}

export type SignIns = ReturnType<typeof createSignIns>

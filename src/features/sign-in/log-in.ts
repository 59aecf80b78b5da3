/**
 * Who signs in: by password or by a key. An unknown address and a wrong password get the same words and take the same time;
 * tries are limited by address and network, over all processes.
 */
import { AppError } from '../../lib/errors.ts'
import { sha256Hex } from '../../lib/ids.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { User } from '../../model/accounts/user.ts'
import type { Stores } from '../../model/stores.ts'
import { hashKey } from '../../rules/accounts/key-secret.ts'
import { isPassword, NO_PASSWORD } from '../../rules/accounts/password-hash.ts'
import { noteTry, type TryLimit } from '../../rules/accounts/password-tries.ts'
import { networkOf } from './network.ts'

export interface LogInParts {
  stores: Pick<Stores, 'users' | 'keys' | 'transaction'>
  clock: Clock
}

const OF_ADDRESS = 10
const OF_NETWORK = 100

const refused = (detail: string): AppError => new AppError('invalid', 'invalid_credentials', detail)

/** The address is not stored: it may be anybody's, or a password typed into the wrong field. */
const limitsOf = (ip: string, email: string | null): TryLimit[] => {
  const network = networkOf(ip)
  const ofNetwork = { subject: `sign-in:${network}`, max: OF_NETWORK }
  if (email === null) return [ofNetwork]
  return [{ subject: `sign-in:${network}:${sha256Hex(email.toLowerCase())}`, max: OF_ADDRESS }, ofNetwork]
}

export function createLogIn({ stores, clock }: LogInParts) {
  /** Counted as a try at this address, whether a user has it or not. */
  const isRight = async (email: string, user: User | null, password: string, ip: string): Promise<boolean> => {
    const takeBack = await noteTry(stores, limitsOf(ip, email), clock.now())
    const hash = user && (await stores.users.passwordHash(user.id))
    const matches = await isPassword(password, hash ?? NO_PASSWORD)
    if (!hash || !matches) return false
    await takeBack()
    return true
  }
  return {
    async byPassword(email: string, password: string, ip: string): Promise<User> {
      const user = await stores.users.findByEmail(email)
      const matches = await isRight(email, user, password, ip)
      if (!user || !matches) throw refused('Invalid email or password.')
      return user
    },
    async byKey(secret: string, ip: string): Promise<{ userId: number; keyId: string }> {
      const takeBack = await noteTry(stores, limitsOf(ip, null), clock.now())
      const key = await stores.keys.findByHash(hashKey(secret))
      const user = key && (await stores.users.find(key.userId))
      const isOver = key !== null && key.expiresAt !== null && key.expiresAt <= clock.now()
      if (!key || !user?.isActive || isOver) throw refused('Invalid API key.')
      await takeBack()
      return { userId: user.id, keyId: key.id }
    },
    /** Whether it is the user's present password. */
    isOwnPassword: (user: User, password: string, ip: string) => isRight(user.email, user, password, ip),
  }
}

export type LogIn = ReturnType<typeof createLogIn>

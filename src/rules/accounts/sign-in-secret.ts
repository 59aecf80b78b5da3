/** Secrets of sign-ins and one-time links: 256 random bits, stored as a hash; and how long a sign-in lasts. */
import { randomBase62, sha256Hex } from '../../lib/ids.ts'
import { DAY } from '../../lib/time/time.ts'
import type { SignIn } from '../../model/accounts/sign-in.ts'

/** A sign-in ends when it was not used for so long, */
export const SIGN_IN_IDLE_MS = 14 * DAY
/** and after so long in any case. */
export const SIGN_IN_LIFE_MS = 90 * DAY

export const newSecret = (): string => randomBase62(256)
export const newSignInId = (): string => randomBase62(128)

/** Never the same text as a key's hash: both are looked up by one function. */
const PREFIX = 'sign-in$'
export const hashSignIn = (secret: string): string => `${PREFIX}${sha256Hex(secret)}`
export const isSignInHash = (hash: string): boolean => hash.startsWith(PREFIX)
export const hashLink = (secret: string): string => `link$${sha256Hex(secret)}`

export const hasEnded = ({ lastUsedAt, createdAt }: SignIn, now: number): boolean =>
  now - lastUsedAt > SIGN_IN_IDLE_MS || now - createdAt > SIGN_IN_LIFE_MS

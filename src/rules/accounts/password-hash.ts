/**
 * Hashes of passwords: scrypt, in the thread pool, each with a salt. The parameters are part of the text, so that they can
 * be raised while older hashes keep working. Two are computed at once, the rest waits: each takes 16 MB meanwhile.
 */
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { limitConcurrency } from '../../lib/concurrency/concurrency-limit.ts'

/** A share's password opens one recording and is tried ten times; a user's is worth five times the work. */
const COSTS = { share: { N: 16_384, r: 8, p: 1 }, user: { N: 16_384, r: 8, p: 5 } }
const KEY_BYTES = 32
const SALT_BYTES = 16
const twoAtOnce = limitConcurrency(2)

const derive = (password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> =>
  twoAtOnce(
    () =>
      new Promise((resolve, reject) => {
        // Composed and decomposed accents are the same letters to the user who types them.
        const text = password.normalize('NFC')
        scrypt(text, salt, KEY_BYTES, options, (error, key) => (error ? reject(error) : resolve(key)))
      }),
  )

const write = (cost: typeof COSTS.share, salt: Buffer, key: Buffer): string =>
  ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$')

export async function hashPassword(password: string, whose: keyof typeof COSTS): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  return write(COSTS[whose], salt, await derive(password, salt, COSTS[whose]))
}

/** Nobody's password: comparing with it takes as long as with a user's. */
export const NO_PASSWORD = write(COSTS.user, randomBytes(SALT_BYTES), randomBytes(KEY_BYTES))

export async function isPassword(password: string, hash: string): Promise<boolean> {
  const [, n, r, p, salt = '', key = ''] = hash.split('$')
  const options = { N: Number(n), r: Number(r), p: Number(p) }
  const derived = await derive(password, Buffer.from(salt, 'base64url'), options)
  return timingSafeEqual(derived, Buffer.from(key, 'base64url'))
}

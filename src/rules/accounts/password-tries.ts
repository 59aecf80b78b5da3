/**
 * Limits on tries of passwords, counted in the store, so that neither a restart nor a second process raises them. A try is
 * counted before the password is checked and removed when it was right: a hundred concurrent guesses get ten answers, not
 * a hundred.
 */
import { type AppError, throttled } from '../../lib/errors.ts'
import { MINUTE, SECOND } from '../../lib/time/time.ts'
import type { Stores } from '../../model/stores.ts'

export const TRIES_WINDOW = 10 * MINUTE

export interface TryLimit {
  subject: string
  max: number
}

type TryStores = Pick<Stores, 'transaction'>

const tooMany = (seconds: number, max: number): AppError =>
  throttled(seconds, max, (wait) => `Too many failed attempts. Try again in ${wait} s.`, 'too_many_failed_attempts')

/** Notes one try against each limit, or none and throws. Returns what takes it back. */
export async function noteTry(
  stores: TryStores,
  limits: TryLimit[],
  now: number,
  refuse: (seconds: number, max: number) => AppError = tooMany,
): Promise<() => Promise<void>> {
  const ids = await stores.transaction(async (tx) => {
    for (const { subject, max } of limits) {
      const made = await tx.passwordTries.since(subject, now - TRIES_WINDOW)
      // Tries in the future were stored before the clock was set back: they must not lock visitors out until then.
      const oldest = made.filter((at) => at <= now + MINUTE).at(-max)
      if (oldest !== undefined) throw refuse((oldest + TRIES_WINDOW - now) / SECOND, max)
    }
    const noted: number[] = []
    for (const { subject } of limits) noted.push(await tx.passwordTries.add(subject, now))
    return noted
  })
  return () =>
    stores.transaction(async (tx) => {
      for (const id of ids) await tx.passwordTries.remove(id)
    })
}

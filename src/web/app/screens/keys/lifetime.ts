/** For how long a key is made. */

export type Lifetime = 'never' | '7' | '30' | '90' | '365'

export const DAYS: readonly (readonly [Lifetime, string])[] = [
  ['never', 'Never'],
  ['7', 'In 7 days'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
]

const DAY_MS = 86_400_000

/** As the API takes it; null for no end. */
export const expiryIn = (lifetime: Lifetime, now: number): string | null =>
  lifetime === 'never' ? null : new Date(now + Number(lifetime) * DAY_MS).toISOString()

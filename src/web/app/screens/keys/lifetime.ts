/** For how long a key is made. */

export type Lifetime = 'never' | '7' | '30' | '90' | '365'

export const DAYS: readonly (readonly [Lifetime, string])[] = [
  ['never', 'It is deleted'],
  ['7', '7 days from now'],
  ['30', '30 days from now'],
  ['90', '90 days from now'],
  ['365', 'A year from now'],
]

const DAY_MS = 86_400_000

/** As the API takes it; null for no end. */
export const expiryIn = (lifetime: Lifetime, now: number): string | null =>
  lifetime === 'never' ? null : new Date(now + Number(lifetime) * DAY_MS).toISOString()

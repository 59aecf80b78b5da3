import { describe, expect, it } from 'vitest'
import { MINUTE, SECOND } from '../time/time.ts'
import { exponentialBackoff, jobBackoff } from './backoff.ts'

describe('The exponential back-off', () => {
  const wait = exponentialBackoff({ first: 10, factor: 3, max: 300 })

  it('begins with the first wait and multiplies it', () => {
    expect([1, 2, 3, 4].map(wait)).toEqual([10, 30, 90, 270])
  })

  it('never exceeds the limit, however often it failed', () => {
    expect([5, 6, 100, 10_000].map(wait)).toEqual([300, 300, 300, 300])
  })

  it('gives jobs 10 s, 30 s, 90 s, 4½ minutes, then 5 minutes', () => {
    const waits = [10 * SECOND, 30 * SECOND, 90 * SECOND, 4.5 * MINUTE, 5 * MINUTE, 5 * MINUTE]
    expect(waits.map((_, i) => jobBackoff(i + 1))).toEqual(waits)
  })
})

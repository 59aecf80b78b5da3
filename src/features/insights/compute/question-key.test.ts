import { describe, expect, it } from 'vitest'
import { questionKey } from './question-key.ts'

const utc = { timezone: 'UTC' }

describe('the key of a cached result', () => {
  it('depends on the question, not on how it is written', () => {
    const key = questionKey(utc, { kind: 'TrendsQuery', series: [{ event: 'a', math: 'dau' }] })
    expect(questionKey(utc, { series: [{ math: 'dau', event: 'a' }], kind: 'TrendsQuery' })).toBe(key)
    expect(questionKey(utc, { kind: 'TrendsQuery', series: [{ event: 'b', math: 'dau' }] })).not.toBe(key)
    expect(questionKey({ timezone: 'Asia/Tokyo' }, { kind: 'TrendsQuery' })).not.toBe(key)
  })

  it('differs where a newer server answers differently, so that an outdated answer is not shown', () => {
    const query = { kind: 'FunnelsQuery' }
    expect(questionKey(utc, query, 1)).not.toBe(questionKey(utc, query))
  })
})

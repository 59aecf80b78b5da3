import { describe, expect, it } from 'vitest'
import { questionKey } from './question-key.ts'

const utc = { timezone: 'UTC' }

describe('the key of a kept result', () => {
  it('is that of the question, however it is written', () => {
    const key = questionKey(utc, { kind: 'TrendsQuery', series: [{ event: 'a', math: 'dau' }] })
    expect(questionKey(utc, { series: [{ math: 'dau', event: 'a' }], kind: 'TrendsQuery' })).toBe(key)
    expect(questionKey(utc, { kind: 'TrendsQuery', series: [{ event: 'b', math: 'dau' }] })).not.toBe(key)
    expect(questionKey({ timezone: 'Asia/Tokyo' }, { kind: 'TrendsQuery' })).not.toBe(key)
  })

  it('is another one where a newer server answers otherwise, so that a wrong answer is not shown until it is old', () => {
    const query = { kind: 'FunnelsQuery' }
    expect(questionKey(utc, query, 1)).not.toBe(questionKey(utc, query))
  })
})

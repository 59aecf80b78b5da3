import { describe, expect, it } from 'vitest'
import { loadOnce } from './load-once.ts'

describe('loadOnce', () => {
  it('loads nothing before the first call, then once for all', async () => {
    let loads = 0
    const load = loadOnce(async () => ++loads)
    expect(loads).toBe(0)
    expect(await Promise.all([load(), load()])).toEqual([1, 1])
    expect(await load()).toBe(1)
  })

  it('tries again after a failure, which all who waited are given', async () => {
    let loads = 0
    const load = loadOnce(async () => {
      loads += 1
      if (loads === 1) throw new Error('no')
      return loads
    })
    const answers = await Promise.allSettled([load(), load()])
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await load()).toBe(2)
  })
})

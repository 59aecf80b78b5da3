import { expect, it, vi } from 'vitest'
import { runAgain } from './run-again.ts'

const failing = (code: string, times: number) => {
  let left = times
  return vi.fn(async () => {
    if (left-- > 0) throw Object.assign(new Error('refused'), { code })
    return 'done'
  })
}

it.each(['40001', '40P01'])('runs what the engine rolled back again, at most five times: %s', async (code) => {
  const short = failing(code, 4)
  expect(await runAgain(short)).toBe('done')
  expect(short).toHaveBeenCalledTimes(5)
  const long = failing(code, 5)
  await expect(runAgain(long)).rejects.toMatchObject({ kind: 'unavailable', retryAfterSeconds: 1 })
  expect(long).toHaveBeenCalledTimes(5)
})

it('runs what found its key taken once more', async () => {
  expect(await runAgain(failing('23505', 1))).toBe('done')
  const taken = failing('23505', 2)
  await expect(runAgain(taken)).rejects.toMatchObject({ code: '23505' })
  expect(taken).toHaveBeenCalledTimes(2)
})

it('leaves every other failure to the caller', async () => {
  const wrong = failing('42601', 1)
  await expect(runAgain(wrong)).rejects.toMatchObject({ code: '42601' })
  expect(wrong).toHaveBeenCalledTimes(1)
})

import { expect, it, vi } from 'vitest'
import { createRunAgain } from './run-again.ts'

const runAgain = createRunAgain()

const failing = (code: string, times: number) => {
  let left = times
  return vi.fn(async () => {
    if (left-- > 0) throw Object.assign(new Error('refused'), { code })
    return 'done'
  })
}

it.each(['40001', '40P01', '0A000', '26000'])(
  'runs what the engine rolled back again, at most fifteen times: %s',
  async (code) => {
    const short = failing(code, 14)
    expect(await runAgain(short)).toBe('done')
    expect(short).toHaveBeenCalledTimes(15)
    const long = failing(code, 15)
    await expect(runAgain(long)).rejects.toMatchObject({ kind: 'unavailable', retryAfterSeconds: 1 })
    expect(long).toHaveBeenCalledTimes(15)
  },
)

it('runs what found its key taken once more', async () => {
  expect(await runAgain(failing('23505', 1))).toBe('done')
  const taken = failing('23505', 2)
  await expect(runAgain(taken)).rejects.toMatchObject({ code: '23505' })
  expect(taken).toHaveBeenCalledTimes(2)
})

it('runs what stores people again each time, as others may store some of them', async () => {
  const long = failing('23505', 15)
  await expect(runAgain(long, 'people')).rejects.toMatchObject({ kind: 'unavailable' })
  expect(long).toHaveBeenCalledTimes(15)
})

it('lets what changes people run again while another one takes long', async () => {
  const again = createRunAgain()
  let end = () => {}
  const long = new Promise<void>((resolve) => {
    end = resolve
  })
  let runs = 0
  const slow = again(async () => {
    runs += 1
    if (runs === 1) throw Object.assign(new Error('refused'), { code: '40001' })
    await long
    return 'slow'
  })
  await expect.poll(() => runs).toBe(2)
  expect(await again(failing('23505', 1), 'people')).toBe('done')
  end()
  expect(await slow).toBe('slow')
})

it('leaves every other failure to the caller', async () => {
  const wrong = failing('42601', 1)
  await expect(runAgain(wrong)).rejects.toMatchObject({ code: '42601' })
  expect(wrong).toHaveBeenCalledTimes(1)
})

it('runs those that met again one after the other, so that they do not meet each other', async () => {
  let running = 0
  const met: number[] = []
  const colliding = () => {
    let runs = 0
    return async () => {
      running += 1
      await new Promise((resolve) => setImmediate(resolve))
      if (runs > 0) met.push(running)
      running -= 1
      if (runs++ < 2) throw Object.assign(new Error('refused'), { code: '40001' })
    }
  }
  await Promise.all(Array.from({ length: 8 }, () => runAgain(colliding())))
  expect(met).toEqual(Array.from({ length: 16 }, () => 1))
})

import { expect, it } from 'vitest'
import { FairQueue } from './fair-queue.ts'

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve))

/** A queue of one at a time unless said otherwise; tasks end one after the other when asked to. */
function controlled(options: Partial<ConstructorParameters<typeof FairQueue>[0]> = {}) {
  const queue = new FairQueue<string>({
    atOnce: 1,
    maxWaitingOfOne: 3,
    maxWaiting: 5,
    full: () => new Error('full'),
    ...options,
  })
  const begun: string[] = []
  const ends: (() => void)[] = []
  const add = (name: string, isPatient = false) =>
    queue.run(
      name.charAt(0),
      () => {
        begun.push(name)
        return new Promise<void>((resolve) => void ends.push(resolve))
      },
      { isPatient },
    )
  const endAll = async () => {
    while (ends.length > 0) {
      ends.shift()?.()
      await turn()
    }
  }
  return { queue, begun, add, endAll }
}

it('lets keys take turns, each in its order of arrival', async () => {
  const { begun, add, endAll } = controlled()
  const tasks = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'].map((name) => add(name, true))
  await endAll()
  await Promise.all(tasks)
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
})

it('runs as many at once as it may', async () => {
  const { begun, add, endAll } = controlled({ atOnce: 2 })
  const tasks = ['a1', 'a2', 'a3'].map((name) => add(name))
  await turn()
  expect(begun).toEqual(['a1', 'a2'])
  await endAll()
  await Promise.all(tasks)
  expect(begun).toEqual(['a1', 'a2', 'a3'])
})

it('refuses what is too much for one key or for all, but nothing that is patient, and goes on', async () => {
  const { begun, add, endAll } = controlled()
  const tasks = ['a1', 'a2', 'a3', 'a4'].map((name) => add(name))
  await expect(add('a5')).rejects.toThrow('full')
  tasks.push(add('b1'), add('c1'))
  await expect(add('d1')).rejects.toThrow('full')
  tasks.push(add('a6', true))
  await endAll()
  await Promise.all(tasks)
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'a4', 'a6'])
  tasks.push(add('a7'))
  await endAll()
  await Promise.all(tasks)
  expect(begun.at(-1)).toBe('a7')
})

it('hands a failure to its own caller and starts the next', async () => {
  const { queue } = controlled()
  const failing = queue.run('a', () => Promise.reject(new Error('no')))
  const next = queue.run('a', async () => 'next')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('next')
})

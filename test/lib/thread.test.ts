import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { endUnused, keepThreads, openThread } from '../../src/lib/concurrency/worker-thread.ts'
import { AppError, OperatorError } from '../../src/lib/errors.ts'

const FILE = new URL('../support/counting-thread.mjs', import.meta.url)

interface Counter {
  add(n: number): Promise<number>
  /** After a few turns of its event loop. */
  addSlowly(n: number): Promise<number>
  echo(value: unknown): Promise<unknown>
  giveFunction(): Promise<unknown>
  /** Sum of this many ones, and of what was left of the bytes that it returned before. */
  giveBytes(length: number): Promise<{ bytes: Uint8Array; left: number }>
  refuse(kind: 'invalid' | 'unavailable' | 'operator' | 'plain' | 'text'): Promise<never>
  /** Rejects when the signal is aborted. */
  wait(signal?: AbortSignal): Promise<string>
  /** Which thread it is. */
  threadId(): Promise<number>
  die(): Promise<never>
  close(): Promise<void>
}

let counter: Counter
let deaths: string[]
const died = (error: Error) => void deaths.push(error.message)
beforeEach(async () => {
  deaths = []
  counter = await openThread<Counter>(FILE, 10, died)
})
afterEach(() => counter.close().catch(() => undefined))

const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable('it should have failed'),
    (error: Error) => error,
  )

it('answers overlapping calls, each with its own result', async () => {
  expect(await Promise.all([1, 2, 3].map((n) => counter.add(n)))).toEqual([11, 13, 16])
})

it('passes plain data unchanged', async () => {
  const value = { list: [1, null, undefined, 'ä\u0000'], map: new Map([['a', new Set([1n])]]), at: new Date(0) }
  expect(await counter.echo(value)).toEqual(value)
})

it('moves many bytes instead of copying them', async () => {
  expect(await counter.giveBytes(100)).toEqual({ bytes: new Uint8Array(100).fill(1), left: 0 })
  expect(await counter.giveBytes(100_000)).toEqual({ bytes: new Uint8Array(100_000).fill(1), left: 100 })
  expect(await counter.giveBytes(1)).toEqual({ bytes: new Uint8Array([1]), left: 0 })
})

it('keeps the kind of an error', async () => {
  const refused = await failureOf(counter.refuse('invalid'))
  expect(refused).toBeInstanceOf(AppError)
  expect(refused).toMatchObject({ kind: 'invalid', code: 'no_thing', message: 'No such thing.', attr: 'thing' })
  const later = await failureOf(counter.refuse('unavailable'))
  expect(later).toMatchObject({ kind: 'unavailable', retryAfterSeconds: 7, cause: new Error('It is full.') })
  expect(await failureOf(counter.refuse('operator'))).toBeInstanceOf(OperatorError)
  const plain = await failureOf(counter.refuse('plain'))
  expect(plain).not.toBeInstanceOf(AppError)
  expect([plain.message, plain.stack]).toEqual(['It broke.', expect.stringContaining('counting-thread')])
  expect((await failureOf(counter.refuse('text'))).message).toBe('only text')
})

it('refuses what cannot be passed, and goes on', async () => {
  expect((await failureOf(counter.echo(() => 1))).message).toContain('could not be cloned')
  expect((await failureOf(counter.giveFunction())).message).toContain('could not be cloned')
  expect(await counter.add(1)).toBe(11)
})

it('passes a signal on, also one that is aborted already', async () => {
  const controller = new AbortController()
  const waiting = failureOf(counter.wait(controller.signal))
  expect(await counter.add(1)).toBe(11)
  controller.abort()
  expect((await waiting).message).toContain('aborted')
  expect((await failureOf(counter.wait(AbortSignal.abort()))).message).toContain('aborted')
  expect(await counter.wait()).toBe('nothing to wait for')
})

it('reports why it could not be opened', async () => {
  const failed = await failureOf(openThread<Counter>(FILE, -1, died))
  expect(failed).toBeInstanceOf(OperatorError)
  expect(failed.message).toBe('Counting begins at zero.')
  await expect(openThread(new URL('no-such-file.mjs', FILE), 0, died)).rejects.toThrow(/no-such-file/)
  expect(deaths).toEqual([])
})

it('rejects what waits and what comes later when the thread dies', async () => {
  const never = failureOf(counter.wait(new AbortController().signal))
  expect((await failureOf(counter.die())).message).toBe('a fault of its own')
  expect((await never).message).toBe('a fault of its own')
  await expect(counter.add(1)).rejects.toThrow('a fault of its own')
  expect(deaths).toEqual(['a fault of its own'])
})

it('answers what was asked before it was closed', async () => {
  const slow = counter.addSlowly(5)
  await counter.close()
  expect(await slow).toBe(15)
})

it('is closed once, however often it is asked to, and takes no more calls', async () => {
  await Promise.all([counter.close(), counter.close()])
  await counter.close()
  await expect(counter.add(1)).rejects.toThrow('closed')
  expect(deaths).toEqual([])
})

it('is opened in a worker that was started before, and ends in one that is not used', async () => {
  const started = await openThread<Counter>(new Worker(FILE), 20, died)
  expect(await started.add(1)).toBe(21)
  await started.close()
  const unused = new Worker(FILE)
  endUnused(unused)
  expect(await once(unused, 'exit')).toEqual([0])
  expect(deaths).toEqual([])
})

it('is opened in the thread of one that was closed, where threads are kept, but not in that of one that died', async () => {
  keepThreads()
  const open = (start: number) => openThread<Counter>(FILE, start, died)
  const first = await open(1)
  const second = await open(2)
  const ids = await Promise.all([first.threadId(), second.threadId()])
  expect(new Set(ids).size).toBe(2)
  await first.close()
  await expect(first.add(1)).rejects.toThrow('closed')
  const third = await open(30)
  expect([await third.threadId(), await third.add(1), await second.add(1)]).toEqual([ids[0], 31, 3])
  await expect(third.die()).rejects.toThrow()
  const fourth = await open(4)
  expect(await fourth.threadId()).not.toBe(ids[0])
  await Promise.all([second.close(), fourth.close()])
  expect(deaths).toEqual(['a fault of its own'])
})

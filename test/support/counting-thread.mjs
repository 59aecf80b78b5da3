/**
 * Runs in a worker thread, for the tests of lib/concurrency/worker-thread.ts; plain JavaScript, as all that runs in
 * one.
 */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { threadId } from 'node:worker_threads'
import { serveThread } from '../../dist/lib/concurrency/worker-thread.js'
import { invalid, OperatorError, unavailable } from '../../dist/lib/errors.js'

const REFUSALS = {
  invalid: () => invalid('No such thing.', 'thing', 'no_thing'),
  unavailable: () => unavailable('Later.', 7, new Error('It is full.')),
  operator: () => new OperatorError('Turn it on.'),
  plain: () => new Error('It broke.'),
  text: () => 'only text',
}

serveThread(async (first) => {
  if (first < 0) throw new OperatorError('Counting begins at zero.')
  let count = first
  let given = new Uint8Array(0)
  return {
    async add(n) {
      count += n
      return count
    },
    async addSlowly(n) {
      for (let turn = 0; turn < 5; turn++) await nextTurn()
      count += n
      return count
    },
    echo: async (value) => value,
    async giveBytes(length) {
      const left = given.length
      given = new Uint8Array(length).fill(1)
      return { bytes: given, left }
    },
    giveFunction: async () => () => 1,
    refuse: async (kind) => {
      throw REFUSALS[kind]()
    },
    async wait(signal) {
      if (!signal) return 'nothing to wait for'
      await pause(60_000, undefined, { signal })
      return 'waited'
    },
    die: () => {
      setImmediate(() => {
        throw new Error('a fault of its own')
      })
      return new Promise(() => {})
    },
    threadId: async () => threadId,
    close: async () => {},
  }
})

import { afterAll, describe, expect, it } from 'vitest'
import type { EventStore } from '../../model/events/event.ts'
import { countEvents } from '../contract/count-events.ts'
import { openDuckdbEvents } from '../duckdb/events.ts'
import { waitForOutbox } from './wait-for-outbox.ts'

const IMMEDIATE = [
  'apply',
  'forgetBatches',
  'stamp',
  'setStamp',
  'highestSeq',
  'forgetErased',
  'compact',
  'foldOwners',
  'wasRestarted',
  'noteRestart',
  'keepsShipments',
  'bytesElsewhere',
  'ping',
  'close',
]

type Methods = Record<string, (...args: unknown[]) => Promise<unknown>>

const real = await openDuckdbEvents(':memory:')
afterAll(() => real.close())
const names = Object.keys(real)

/** An event store with every method of the real one, each of which notes that it ran and gives its arguments back. */
function makeStore() {
  const ran: string[] = []
  const method =
    (name: string) =>
    async (...args: unknown[]) => {
      ran.push(name)
      return [name, ...args]
    }
  return { ran, store: Object.fromEntries(names.map((name) => [name, method(name)])) as unknown as EventStore }
}

describe('An event store that waits for the outbox', () => {
  it.each(names.filter((name) => !IMMEDIATE.includes(name)))('waits before %s', async (name) => {
    const { ran, store } = makeStore()
    let catchUp = () => {}
    const caughtUp = () => new Promise<void>((resolve) => (catchUp = resolve))
    const answer = (waitForOutbox(store, caughtUp) as unknown as Methods)[name]?.(1, 'two')
    await new Promise((resolve) => setImmediate(resolve))
    expect(ran).toEqual([])
    catchUp()
    expect(await answer).toEqual([name, 1, 'two'])
  })

  it.each(IMMEDIATE)('does not wait before %s', async (name) => {
    const { store } = makeStore()
    const behind = () => Promise.reject(new Error('behind'))
    expect(await (waitForOutbox(store, behind) as unknown as Methods)[name]?.(1)).toEqual([name, 1])
  })

  it('reads nothing when the outbox cannot be applied', async () => {
    const { ran, store } = makeStore()
    const behind = () => Promise.reject(new Error('behind'))
    await expect(countEvents(waitForOutbox(store, behind), 1)).rejects.toThrow('behind')
    expect(ran).toEqual([])
  })

  it('waits before a method that was added later', async () => {
    const added = { ...makeStore().store, addedLater: async () => 'read' } as EventStore
    const behind = () => Promise.reject(new Error('behind'))
    const { addedLater } = waitForOutbox(added, behind) as unknown as Methods
    await expect(addedLater?.()).rejects.toThrow('behind')
  })

  it('knows every method of the store', () => {
    expect(names).toEqual(expect.arrayContaining(IMMEDIATE))
    expect(Object.keys(waitForOutbox(real, async () => {}))).toEqual(names)
  })
})

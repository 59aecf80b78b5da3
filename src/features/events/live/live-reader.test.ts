import { describe, expect, it } from 'vitest'
import { testClock } from '../../../../test/support/clock.ts'
import { MINUTE } from '../../../lib/time/time.ts'
import type { LiveEvent } from '../../../model/events/live-events.ts'
import { LiveReader } from './live-reader.ts'

/** A reader, what its client has received when that reads, and what it asks for. */
function makeReader(length = 1) {
  const clock = testClock()
  const state = { endings: 0, admitted: async () => true, received: '', isRead: async (_event: string) => {} }
  const reader = new LiveReader({
    clock,
    write: async ({ event }) => {
      await state.isRead(event)
      return `"${event.padEnd(length, '.')}"`
    },
    isStillAdmitted: () => state.admitted(),
    ended: () => void state.endings++,
  })
  const receive = () => {
    reader.stream.setEncoding('utf8')
    reader.stream.on('data', (text: string) => {
      state.received += text
    })
  }
  const take = (from: number, count: number, isComplete = true) => {
    const events = Array.from({ length: count }, (_, i) => ({ event: `e${from + i}` }) as LiveEvent)
    reader.take({ events, isComplete })
  }
  const pass = (ms: number) => {
    clock.advance(ms)
    reader.tick()
  }
  const shown = () => [...state.received.matchAll(/^data: "(e\d+)/gm)].map(([, name]) => name)
  const leftOut = () => [...state.received.matchAll(/^event: left_out\ndata: (.*)$/gm)].map(([, data = '']) => data)
  return { reader, state, receive, take, pass, shown, leftOut }
}

describe('a reader', () => {
  it('gets 20 events within any second, and told once a second how many more there were', async () => {
    const { receive, take, pass, shown, leftOut } = makeReader()
    receive()
    take(0, 15)
    pass(600)
    take(15, 10)
    await expect.poll(() => shown().length).toBe(20)
    expect(leftOut()).toEqual([])
    pass(400)
    await expect.poll(leftOut).toEqual(['{"count":5,"more":false}'])
    // The five of the middle of the second still count.
    take(25, 16)
    await expect.poll(() => shown().length).toBe(35)
    pass(999)
    take(41, 1)
    expect(leftOut()).toHaveLength(1)
    pass(1)
    await expect.poll(leftOut).toEqual(['{"count":5,"more":false}', '{"count":1,"more":false}'])
    expect(shown().slice(-2)).toEqual(['e39', 'e41'])
  })

  it('is told when some were not looked at, although none is known to be left out', async () => {
    const { receive, take, pass, leftOut } = makeReader()
    receive()
    take(0, 0, false)
    pass(1_000)
    pass(1_000)
    await expect.poll(leftOut).toEqual(['{"count":0,"more":true}'])
  })

  it('that does not read gets nothing more until it does, and then how much that was', async () => {
    const { reader, receive, take, pass, shown, leftOut } = makeReader(10_000)
    take(0, 20)
    await expect.poll(() => reader.stream.isFull).toBe(true)
    const held = reader.stream.readableLength
    expect(held).toBeLessThan(100_000)
    pass(1_000)
    take(20, 20)
    pass(1_000)
    await Promise.resolve()
    expect(reader.stream.readableLength).toBe(held)
    receive()
    await expect.poll(() => reader.stream.isFull).toBe(false)
    pass(1_000)
    await expect.poll(leftOut).toHaveLength(1)
    expect(JSON.parse(leftOut()[0] ?? '')).toEqual({ count: 40 - shown().length, more: false })
    expect(shown().length).toBeLessThan(10)
  })

  it('that does not read for a minute is cut off', async () => {
    const { reader, state, take, pass } = makeReader(10_000)
    take(0, 20)
    await expect.poll(() => reader.stream.isFull).toBe(true)
    pass(1_000)
    pass(MINUTE - 1)
    expect(state.endings).toBe(0)
    pass(1)
    expect([state.endings, reader.stream.destroyed]).toEqual([1, true])
  })

  it('holds at most a second’s worth of events whose persons are still being read', async () => {
    const { state, receive, take, pass, shown, leftOut } = makeReader()
    receive()
    let found = () => {}
    const reading = new Promise<void>((resolve) => {
      found = resolve
    })
    state.isRead = () => reading
    take(0, 20)
    pass(1_000)
    take(20, 20)
    found()
    await expect.poll(() => shown().length).toBe(20)
    pass(1_000)
    await expect.poll(leftOut).toEqual(['{"count":20,"more":false}'])
  })

  it('is told of events that could not be shown', async () => {
    const { state, receive, take, pass, shown, leftOut } = makeReader()
    receive()
    state.isRead = async (event) => {
      if (event === 'e1') throw new Error('away')
    }
    take(0, 3)
    await expect.poll(shown).toEqual(['e0', 'e2'])
    pass(1_000)
    await expect.poll(leftOut).toEqual(['{"count":1,"more":false}'])
  })

  it('ends with its credential, once, and gets nothing afterwards', async () => {
    const { reader, state, receive, take, pass, shown } = makeReader()
    receive()
    state.admitted = async () => false
    pass(999)
    await Promise.resolve()
    expect(state.endings).toBe(0)
    pass(1)
    await expect.poll(() => [state.endings, reader.stream.readableEnded]).toEqual([1, true])
    take(0, 1)
    reader.end()
    pass(1_000)
    expect([state.endings, shown()]).toEqual([1, []])
  })

  it('outlasts some seconds in which its credential cannot be looked up, not more', async () => {
    const { state, pass } = makeReader()
    let looks = 0
    state.admitted = async () => {
      looks++
      throw new Error('away')
    }
    for (let second = 1; second < 10; second++) {
      pass(1_000)
      await expect.poll(() => looks).toBe(second)
    }
    expect(state.endings).toBe(0)
    pass(1_000)
    await expect.poll(() => state.endings).toBe(1)
  })
})

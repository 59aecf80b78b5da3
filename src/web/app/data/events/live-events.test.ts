import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { followLive, type LiveParts, type LiveWay } from './live-events.ts'

type Row = Awaited<ReturnType<LiveParts['ask']>>[number]
const row = (uuid: string) => ({ uuid }) as Row

/** A stream that a test opens, feeds and breaks. */
function fakeStream() {
  const named = new Map<string, (message: { data: string }) => void>()
  const stream = {
    readyState: 0,
    isClosed: false,
    onopen: null as (() => void) | null,
    onmessage: null as ((message: { data: string }) => void) | null,
    onerror: null as (() => void) | null,
    addEventListener: (name: string, run: (message: { data: string }) => void) => void named.set(name, run),
    close: () => {
      stream.isClosed = true
    },
    tell: (name: string, data: object) => named.get(name)?.({ data: JSON.stringify(data) }),
    refuse: () => {
      stream.readyState = 2
      stream.onerror?.()
    },
  }
  return stream
}

function follow(pages: Row[][] = []) {
  const streams: ReturnType<typeof fakeStream>[] = []
  const heard = { ways: [] as LiveWay[], events: [] as string[], leftOut: [] as unknown[], errors: [] as unknown[] }
  const stop = followLive({
    openStream: () => {
      streams.push(fakeStream())
      return streams.at(-1) as never
    },
    ask: async () => {
      const page = pages.shift()
      if (!page) throw new Error('away')
      return page
    },
    heard: {
      way: (way) => void heard.ways.push(way),
      events: (events) => void heard.events.push(...events.map(({ uuid }) => uuid)),
      leftOut: (...told) => void heard.leftOut.push(told),
      failed: (error) => void heard.errors.push(error),
    },
  })
  return { streams, heard, stop }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('a stream', () => {
  it('tells events and how many were left out', () => {
    const { streams, heard, stop } = follow()
    streams[0]?.onopen?.()
    streams[0]?.onmessage?.({ data: JSON.stringify(row('a')) })
    streams[0]?.tell('left_out', { count: 3, more: true })
    expect(heard).toMatchObject({ ways: ['connecting', 'stream'], events: ['a'], leftOut: [[3, true]] })
    stop()
    expect(streams[0]?.isClosed).toBe(true)
  })

  it('that the browser opens again by itself is waited for', () => {
    const { streams, heard } = follow()
    streams[0]?.onopen?.()
    streams[0]?.onerror?.()
    expect(heard.ways).toEqual(['connecting', 'stream', 'connecting'])
    expect(streams).toHaveLength(1)
  })
})

describe('without a stream', () => {
  it('it asks, tells what is new since it began, and goes back to the stream when that opens', async () => {
    const { streams, heard } = follow([[row('b'), row('a')], [row('d'), row('c'), row('b')], []])
    streams[0]?.refuse()
    expect(heard.ways.at(-1)).toBe('polling')
    await vi.advanceTimersByTimeAsync(0)
    expect(heard.events).toEqual([])
    await vi.advanceTimersByTimeAsync(2_000)
    expect(heard.events).toEqual(['c', 'd'])
    await vi.advanceTimersByTimeAsync(28_000)
    expect(streams).toHaveLength(2)
    streams[1]?.onopen?.()
    expect(heard.ways.at(-1)).toBe('stream')
    const told = heard.errors.length
    await vi.advanceTimersByTimeAsync(60_000)
    expect(heard.errors).toHaveLength(told)
  })

  it('one that never opens is given up', async () => {
    const { streams, heard } = follow([[]])
    await vi.advanceTimersByTimeAsync(8_000)
    expect(streams[0]?.isClosed).toBe(true)
    expect(heard.ways).toEqual(['connecting', 'polling'])
  })

  it('tells when asking fails, and asks again', async () => {
    const pages: Row[][] = []
    const { streams, heard, stop } = follow(pages)
    streams[0]?.refuse()
    await vi.advanceTimersByTimeAsync(0)
    expect(heard.errors).toEqual([new Error('away')])
    pages.push([])
    await vi.advanceTimersByTimeAsync(2_000)
    expect(heard.errors.at(-1)).toBeNull()
    stop()
    const told = heard.errors.length
    await vi.advanceTimersByTimeAsync(60_000)
    expect(heard.errors).toHaveLength(told)
  })
})

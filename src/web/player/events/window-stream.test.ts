import { describe, expect, it } from 'vitest'
import { FULL_SNAPSHOT, INCREMENTAL, META, type RecordedEvent } from './recorded-event.ts'
import { WindowStream } from './window-stream.ts'

type Step = [windowId: string, type: number, timestamp: number, data?: unknown]

const mutation = (name: string) => ({ source: 0, name })
const click = { source: 2, type: 2 }
const blur = { source: 2, type: 6 }
const move = { source: 1 }

const brief = ({ type, timestamp, data }: RecordedEvent): string => {
  const kind = { [META]: 'meta', [FULL_SNAPSHOT]: 'full' }[type] ?? (data.name ? data.name : `source ${data.source}`)
  return `${Math.floor(timestamp)} ${kind}`
}

function play(steps: Step[]): string[] {
  const stream = new WindowStream()
  return steps.flatMap(([windowId, type, timestamp, data = { width: 100, height: 50, href: windowId }]) =>
    stream.take({ windowId, event: { type, timestamp, data } }).map(brief),
  )
}

describe('one stream of several windows', () => {
  it('is the window itself when there is one', () => {
    expect(
      play([
        ['a', META, 1],
        ['a', FULL_SNAPSHOT, 2],
        ['a', INCREMENTAL, 3, mutation('m')],
        ['a', INCREMENTAL, 4, click],
        ['a', META, 5],
        ['a', FULL_SNAPSHOT, 6],
      ]),
    ).toEqual(['2 meta', '2 full', '3 m', '4 source 2', '5 meta', '6 full'])
  })
  it('has nothing before the first full snapshot', () => {
    expect(
      play([
        ['a', INCREMENTAL, 1, mutation('lost')],
        ['a', INCREMENTAL, 2, click],
        ['a', META, 3],
        ['a', FULL_SNAPSHOT, 4],
      ]),
    ).toEqual(['4 meta', '4 full'])
  })
  it('knows the windows that it cannot show', () => {
    const stream = new WindowStream()
    const take = (windowId: string, type: number, data: unknown) =>
      stream.take({ windowId, event: { type, timestamp: 1, data } })
    take('a', FULL_SNAPSHOT, {})
    take('a', INCREMENTAL, click)
    take('b', INCREMENTAL, mutation('m'))
    expect([...stream.unseen]).toEqual([])
    take('b', INCREMENTAL, click)
    expect([...stream.unseen]).toEqual(['b'])
    take('b', FULL_SNAPSHOT, {})
    expect([...stream.unseen]).toEqual([])
  })
  it('knows which window is shown at a time', () => {
    const stream = new WindowStream()
    const take = (windowId: string, type: number, timestamp: number, data: unknown = {}) =>
      stream.take({ windowId, event: { type, timestamp, data } })
    expect(stream.windowAt(1)).toBeNull()
    take('a', FULL_SNAPSHOT, 10)
    take('b', FULL_SNAPSHOT, 20)
    take('b', INCREMENTAL, 30, click)
    take('a', INCREMENTAL, 40, click)
    expect([5, 10, 29, 30, 39, 40, 99].map((time) => stream.windowAt(time))).toEqual([
      'a',
      'a',
      'a',
      'b',
      'b',
      'a',
      'a',
    ])
  })
  it('gives a size to a snapshot that came without one', () => {
    const stream = new WindowStream()
    const [meta] = stream.take({ windowId: 'a', event: { type: FULL_SNAPSHOT, timestamp: 7, data: {} } })
    expect(meta).toEqual({ type: META, timestamp: 7, data: { href: '', width: 1_280, height: 720 } })
    const later = stream.take({ windowId: 'a', event: { type: FULL_SNAPSHOT, timestamp: 9, data: {} } })
    expect(later.map(brief)).toEqual(['9 meta', '9 full'])
  })
  it('changes to the window that is active, as it has become since its snapshot', () => {
    expect(
      play([
        ['a', META, 1],
        ['a', FULL_SNAPSHOT, 1],
        ['b', META, 2],
        ['b', FULL_SNAPSHOT, 2],
        ['b', INCREMENTAL, 3, mutation('early')],
        ['a', INCREMENTAL, 4, mutation('shown')],
        ['b', INCREMENTAL, 5, move],
        ['a', INCREMENTAL, 6, mutation('hidden')],
        ['b', INCREMENTAL, 7, click],
        ['a', INCREMENTAL, 8, blur],
        ['a', INCREMENTAL, 9, click],
      ]),
    ).toEqual([
      ...['1 meta', '1 full', '4 shown'],
      ...['5 meta', '5 full', '5 early', '5 source 1', '7 source 2'],
      ...['9 meta', '9 full', '9 shown', '9 hidden', '9 source 2'],
    ])
  })
  it('plays only what came after the last full snapshot of a window', () => {
    expect(
      play([
        ['a', META, 1],
        ['a', FULL_SNAPSHOT, 1],
        ['b', META, 2],
        ['b', FULL_SNAPSHOT, 2],
        ['b', INCREMENTAL, 3, mutation('old')],
        ['b', META, 4],
        ['b', FULL_SNAPSHOT, 4],
        ['b', INCREMENTAL, 5, mutation('new')],
        ['b', INCREMENTAL, 6, click],
      ]).slice(2),
    ).toEqual(['6 meta', '6 full', '6 new', '6 source 2'])
  })
  it('gives each event a unique time, later than the one before', () => {
    const stream = new WindowStream()
    const start = Date.UTC(2026, 2, 4)
    const times = [META, FULL_SNAPSHOT, INCREMENTAL, INCREMENTAL, INCREMENTAL].flatMap((type, index) => {
      const event = { type, timestamp: start + (index === 4 ? 1 : 0), data: type === INCREMENTAL ? click : {} }
      return stream.take({ windowId: 'a', event }).map(({ timestamp }) => timestamp)
    })
    expect(times.map((time) => Math.floor(time) - start)).toEqual([0, 0, 0, 0, 1])
    expect(new Set(times).size).toBe(5)
    expect(times).toEqual([...times].sort((a, b) => a - b))
  })
  it('leaves out what is no part of the picture', () => {
    expect(
      play([
        ['a', META, 1],
        ['a', FULL_SNAPSHOT, 1],
        ['a', 5, 2, { tag: '$pageview' }],
        ['a', 6, 3, { plugin: 'rrweb/console@1' }],
        ['a', 0, 4],
      ]),
    ).toEqual(['1 meta', '1 full'])
  })
})

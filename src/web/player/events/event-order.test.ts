import { describe, expect, it } from 'vitest'
import { EventOrder } from './event-order.ts'

const at = (timestamp: number, data: unknown = null, windowId = 'w') => ({
  windowId,
  event: { type: 3, timestamp, data },
})
const times = (items: { event: { timestamp: number } }[]) => items.map(({ event }) => event.timestamp)

describe('the order of events', () => {
  it('is by time, regardless of their block', () => {
    const order = new EventOrder()
    order.add([at(5), at(9)])
    order.add([at(1), at(7)])
    expect(times(order.take(100))).toEqual([1, 5, 7, 9])
    expect(order.take(100)).toEqual([])
  })
  it('keeps those of one instant as they came', () => {
    const order = new EventOrder()
    order.add([at(1, 'b'), at(1, 'a'), at(0, 'z')])
    expect(order.take(2).map(({ event }) => event.data)).toEqual(['z', 'b', 'a'])
  })
  it('holds back what is not before the horizon', () => {
    const order = new EventOrder()
    order.add([at(1), at(5), at(8)])
    expect(times(order.take(5))).toEqual([1])
    order.add([at(6)])
    expect(times(order.take(Number.POSITIVE_INFINITY))).toEqual([5, 6, 8])
  })
  it('leaves out what comes too late', () => {
    const order = new EventOrder()
    order.add([at(1), at(5)])
    order.take(5)
    order.add([at(3), at(6)])
    expect(times(order.take(9))).toEqual([5, 6])
  })
  it('gives each event once, and equal ones of other windows or instants all', () => {
    const order = new EventOrder()
    order.add([at(1, 'x'), at(1, 'x'), at(1, 'y'), at(1, 'x', 'v'), at(2, 'x'), at(2, 'x'), at(3, 'x')])
    const given = order.take(9).map(({ windowId, event }) => [event.timestamp, event.data, windowId].join(' '))
    expect(given).toEqual(['1 x w', '1 y w', '1 x v', '2 x w', '3 x w'])
  })
})

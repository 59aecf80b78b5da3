import { expect, it } from 'vitest'
import type { EventRow } from '../../data/events.ts'
import { MOST_ROWS, NOTHING, rateOf, withEvents, withLeftOut } from './live-log.ts'

const event = (uuid: string, more: Partial<EventRow> = {}): EventRow => ({
  id: uuid,
  uuid,
  event: 'order placed',
  distinct_id: 'd1',
  timestamp: '2026-05-01T10:00:00Z',
  properties: { $current_url: 'https://shop.example/cart', secret: 'x' },
  person: null,
  session_id: null,
  ...more,
})

it('lists events newest first, in short and each once', () => {
  const log = withEvents(withEvents(NOTHING, [event('a'), event('b')], 0), [event('b'), event('c')], 1)
  expect(log.rows.map(({ uuid }) => uuid)).toEqual(['c', 'b', 'a'])
  expect(log.taken).toBe(3)
  expect(log.rows[0]).toEqual({
    uuid: 'c',
    event: 'order placed',
    who: 'd1',
    page: 'shop.example/cart',
    timestamp: '2026-05-01T10:00:00Z',
  })
})

it('keeps so many and counts all', () => {
  const many = Array.from({ length: MOST_ROWS + 50 }, (_, i) => event(String(i)))
  const log = withEvents(NOTHING, many, 0)
  expect(log.rows).toHaveLength(MOST_ROWS)
  expect(log.rows[0]?.uuid).toBe(String(MOST_ROWS + 49))
  expect(log.taken).toBe(MOST_ROWS + 50)
})

it('tells the rate of the last ten seconds, with what was left out', () => {
  const log = withLeftOut(withEvents(NOTHING, [event('a'), event('b')], 0), 13, false, 5_000)
  expect(rateOf(log, 5_000)).toBe('1.5')
  expect(rateOf(log, 10_000)).toBe('1.3')
  expect(rateOf(log, 15_000)).toBe('0.0')
  expect(log).toMatchObject({ leftOut: 13, isMore: false })
  expect(withLeftOut(log, 0, true, 6_000).isMore).toBe(true)
})

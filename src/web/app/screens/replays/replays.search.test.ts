import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Condition } from '../../kit/filters/property-filter.ts'
import { CONSOLE, ORDERS, type ReplaysState, replaysSearch, SINCE } from './replays.search.ts'
import { conditionsOf, filterOf, readEvents, withConditions, writeEvents } from './replays-conditions.ts'

const conditions = (type: string) =>
  fc.array(fc.record({ key: fc.string(), operator: fc.constant('exact'), value: fc.string(), type: fc.constant(type) }))

it('is the same after a round through the address', () => {
  const state: fc.Arbitrary<ReplaysState> = fc.record({
    date_from: fc.constantFrom(...SINCE),
    order: fc.constantFrom(...ORDERS),
    order_direction: fc.constantFrom('DESC', 'ASC'),
    hide_viewed_recordings: fc.constantFrom('no', 'current-user'),
    events: fc.string(),
    console_log_filters: fc.constantFrom(...CONSOLE),
    properties: conditions('person'),
    having_predicates: conditions('recording'),
  }) as fc.Arbitrary<ReplaysState>
  fc.assert(
    fc.property(state, (one) => {
      expect(replaysSearch.read(replaysSearch.write(one))).toEqual({ state: one, unread: [] })
      expect({ ...one, ...withConditions(conditionsOf(one)) }).toEqual(one)
    }),
  )
})

it('asks for no more than was chosen', () => {
  expect(filterOf(replaysSearch.fallback)).toEqual({ date_from: '-30d', order: 'start_time', order_direction: 'DESC' })
  const clicks: Condition = { key: 'click_count', operator: 'gte', value: 5, type: 'recording' }
  const chosen: ReplaysState = {
    ...replaysSearch.fallback,
    hide_viewed_recordings: 'current-user',
    events: writeEvents([{ id: 'order failed' }]),
    console_log_filters: CONSOLE[3],
    having_predicates: [clicks],
  }
  expect(filterOf(chosen)).toMatchObject({
    hide_viewed_recordings: 'current-user',
    events: '[{"id":"order failed"}]',
    console_log_filters: '[{"key":"level","value":["error"]}]',
    having_predicates: JSON.stringify([clicks]),
  })
})

describe('what cannot be read', () => {
  it.each([
    ['console_log_filters', '[{"key":"level","value":["loud"]}]'],
    ['console_log_filters', '[{"key":"message","value":"a"}]'],
    ['console_log_filters', '[{"key":"level","value":"error","operator":"is_not"}]'],
  ])('is told: %s=%s', (name, text) => {
    expect(replaysSearch.read({ [name]: text }).unread).toEqual([name])
  })
})

it('reads the events of an address, and none of what cannot be read', () => {
  const items = [{ id: 'order failed' }, { id: null }]
  expect(readEvents(writeEvents(items))).toEqual(items)
  for (const text of ['', '{"id":"a"}', '[1]', '[null]', 'x']) expect(readEvents(text)).toEqual([])
})

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { filterOf, ORDERINGS, RECORDED, type SessionsState, SINCE, sessionsSearch } from './sessions.search.ts'

it('is the same after a round through the address', () => {
  const state = fc.record({
    date_from: fc.constantFrom(...SINCE),
    ordering: fc.constantFrom(...ORDERINGS),
    has_recording: fc.constantFrom(...RECORDED),
    properties: fc.array(fc.record({ key: fc.string(), operator: fc.constant('exact'), value: fc.string() })),
  }) as fc.Arbitrary<SessionsState>
  fc.assert(
    fc.property(state, (one) => {
      expect(sessionsSearch.read(sessionsSearch.write(one))).toEqual({ state: one, unread: [] })
    }),
  )
})

it('asks for no more than was chosen', () => {
  expect(filterOf(sessionsSearch.fallback)).toEqual({ date_from: '-30d', ordering: '-start_time' })
  const chosen = { ...sessionsSearch.fallback, date_from: 'all' as const, has_recording: 'false' as const }
  expect(filterOf(chosen)).toEqual({ ordering: '-start_time', has_recording: false })
})

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { onTab, type PersonState, personSearch, TABS } from './person.search.ts'

it('is the same state after its address', () => {
  const states: fc.Arbitrary<PersonState> = fc.record({
    tab: fc.constantFrom(...TABS),
    do: fc.constantFrom('look' as const, 'split' as const, 'delete' as const),
    q: fc.string(),
    properties: fc.array(fc.record({ key: fc.string(), operator: fc.constant('is_set' as const) }), { maxLength: 3 }),
    date_from: fc.string(),
    date_to: fc.string(),
    at: fc.string(),
    page: fc.integer({ min: 1, max: 999_999_999 }),
  })
  fc.assert(
    fc.property(states, (state) => {
      const address = new URLSearchParams(personSearch.write(state)).toString()
      expect(personSearch.read(Object.fromEntries(new URLSearchParams(address)))).toEqual({ state, unread: [] })
    }),
  )
})

it('is short for what is usual', () => {
  expect(personSearch.write(personSearch.fallback)).toEqual({})
  expect(personSearch.write(onTab('history'))).toEqual({ tab: 'history' })
})

it.each(['0', '-1', '1.5', 'x', ''])('has no page %j', (page) => {
  expect(personSearch.read({ page }).unread).toEqual(['page'])
})

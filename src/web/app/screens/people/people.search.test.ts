import fc from 'fast-check'
import { expect, it } from 'vitest'
import { OPERATOR_NAMES } from '../../kit/filters/property-filter.ts'
import { filterOf, ORDERINGS, peopleSearch } from './people.search.ts'

const condition = fc.record({
  key: fc.string(),
  operator: fc.constantFrom(...OPERATOR_NAMES.filter((name) => !name.endsWith('set'))),
  value: fc.string(),
})

it('is the same state after its address', () => {
  const states = fc.record({
    search: fc.string(),
    properties: fc.array(condition, { maxLength: 3 }),
    columns: fc.uniqueArray(fc.string(), { maxLength: 4 }),
    ordering: fc.constantFrom(...ORDERINGS),
  })
  fc.assert(
    fc.property(states, (state) => {
      const address = new URLSearchParams(peopleSearch.write(state)).toString()
      expect(peopleSearch.read(Object.fromEntries(new URLSearchParams(address)))).toEqual({ state, unread: [] })
    }),
  )
})

it('is short for what is usual', () => expect(peopleSearch.write(peopleSearch.fallback)).toEqual({}))

it.each([{ columns: 'email' }, { properties: '[{"key":"a"}]' }])('says what it cannot read: %o', (params) => {
  expect(peopleSearch.read(params as never)).toEqual({ state: peopleSearch.fallback, unread: Object.keys(params) })
})

it('asks for no more than was chosen', () => {
  expect(filterOf(peopleSearch.fallback)).toEqual({ search: '', properties: '' })
  const chosen = filterOf({ ...peopleSearch.fallback, ordering: 'last_seen_at' })
  expect(chosen).toEqual({ search: '', properties: '', ordering: 'last_seen_at' })
})

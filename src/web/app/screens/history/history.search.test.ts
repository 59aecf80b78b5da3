import fc from 'fast-check'
import { expect, it } from 'vitest'
import { historySearch } from './history.search.ts'

it('is the same state after its address', () => {
  const states = fc.record({
    scope: fc.string(),
    item_id: fc.oneof(fc.uuid(), fc.string()),
    user: fc.string(),
    offset: fc.nat({ max: 999_999_999 }),
  })
  fc.assert(
    fc.property(states, (state) => {
      const address = new URLSearchParams(historySearch.write(state)).toString()
      expect(historySearch.read(Object.fromEntries(new URLSearchParams(address)))).toEqual({ state, unread: [] })
    }),
  )
})

it('is short for what is usual', () => expect(historySearch.write(historySearch.fallback)).toEqual({}))

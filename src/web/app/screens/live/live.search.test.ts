import fc from 'fast-check'
import { expect, it } from 'vitest'
import { liveSearch } from './live.search.ts'

it('is the same state after its address', () => {
  const states = fc.record({ event: fc.string(), distinct_id: fc.string() })
  fc.assert(
    fc.property(states, (state) => {
      const address = new URLSearchParams(liveSearch.write(state)).toString()
      expect(liveSearch.read(Object.fromEntries(new URLSearchParams(address)))).toEqual({ state, unread: [] })
    }),
  )
})

it('is short for what is usual', () => expect(liveSearch.write(liveSearch.fallback)).toEqual({}))

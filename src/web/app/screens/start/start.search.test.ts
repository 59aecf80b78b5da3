import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LANGS, startSearch } from './start.search.ts'

it('is the same state after its address', () => {
  const states = fc.record({ lang: fc.constantFrom(...LANGS) })
  fc.assert(
    fc.property(states, (state) => {
      const address = new URLSearchParams(startSearch.write(state)).toString()
      expect(startSearch.read(Object.fromEntries(new URLSearchParams(address)))).toEqual({ state, unread: [] })
    }),
  )
})

it('is short for what is usual', () => expect(startSearch.write(startSearch.fallback)).toEqual({}))

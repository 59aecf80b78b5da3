import fc from 'fast-check'
import { expect, it } from 'vitest'
import { keysSearch, PRESET_IDS } from './keys.search.ts'

it('is the same state after its address', () => {
  const states = fc.record({
    do: fc.constantFrom('list' as const, 'new' as const),
    preset: fc.constantFrom(...PRESET_IDS),
  })
  fc.assert(
    fc.property(states, (state) => {
      const address = new URLSearchParams(keysSearch.write(state)).toString()
      expect(keysSearch.read(Object.fromEntries(new URLSearchParams(address)))).toEqual({ state, unread: [] })
    }),
  )
})

it('is short for what is usual', () => expect(keysSearch.write(keysSearch.fallback)).toEqual({}))

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { signInSearch } from './sign-in.search.ts'

it('is the same state after its address', () => {
  const states = fc.record({
    next: fc.constantFrom('/', '/project/1/start?lang=curl', '/x#y'),
    with: fc.constantFrom('password' as const, 'key' as const),
  })
  fc.assert(
    fc.property(states, (state) => {
      const address = new URLSearchParams(signInSearch.write(state)).toString()
      expect(signInSearch.read(Object.fromEntries(new URLSearchParams(address)))).toEqual({ state, unread: [] })
    }),
  )
})

it('is short for what is usual', () => expect(signInSearch.write(signInSearch.fallback)).toEqual({}))

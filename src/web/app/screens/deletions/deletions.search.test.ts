import fc from 'fast-check'
import { expect, it } from 'vitest'
import { deletionsSearch, STATUSES } from './deletions.search.ts'

it('is the same state after its address', () => {
  const states = fc.record({
    status: fc.constantFrom(...STATUSES),
    person_uuid: fc.oneof(fc.uuid(), fc.string()),
    offset: fc.nat(),
  })
  fc.assert(
    fc.property(states, (state) => {
      const whole = { ...state, offset: state.offset % 1e9 }
      const address = new URLSearchParams(deletionsSearch.write(whole)).toString()
      expect(deletionsSearch.read(Object.fromEntries(new URLSearchParams(address)))).toEqual({
        state: whole,
        unread: [],
      })
    }),
  )
})

it('is short for what is usual', () => expect(deletionsSearch.write(deletionsSearch.fallback)).toEqual({}))

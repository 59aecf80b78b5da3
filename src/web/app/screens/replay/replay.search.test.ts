import fc from 'fast-check'
import { expect, it } from 'vitest'
import { CLOCKS, ONLY, type ReplayState, replaySearch, SPEEDS, TABS } from './replay.search.ts'

it('is the same after a round through the address', () => {
  const state: fc.Arbitrary<ReplayState> = fc.record({
    t: fc.string(),
    tab: fc.constantFrom(...TABS),
    only: fc.constantFrom(...ONLY),
    list: fc.constantFrom('on', 'off'),
    clock: fc.constantFrom(...CLOCKS),
    f: fc.string(),
    speed: fc.constantFrom(...SPEEDS),
    skip: fc.constantFrom('on', 'off'),
    remote: fc.constantFrom('on', 'off'),
    do: fc.constantFrom('watch', 'share', 'delete'),
  })
  fc.assert(
    fc.property(state, (one) => {
      expect(replaySearch.read(replaySearch.write(one))).toEqual({ state: one, unread: [] })
    }),
  )
})

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { eventsSearch } from './events.search.ts'

it('is the same state after its address', () => {
  const text = fc.string()
  const states = fc.record({
    event: text,
    distinct_id: text,
    person_id: text,
    session_id: fc.oneof(fc.uuid(), text),
    after: fc.constantFrom('', '-7d', '2026-05-01T10:00:00.000Z'),
    before: text,
    properties: fc.json(),
    cursor: fc.base64String(),
    columns: fc.uniqueArray(fc.string({ minLength: 1 })),
    open: fc.oneof(fc.uuid(), text),
  })
  fc.assert(
    fc.property(states, (state) => {
      const address = new URLSearchParams(eventsSearch.write(state)).toString()
      expect(eventsSearch.read(Object.fromEntries(new URLSearchParams(address)))).toEqual({ state, unread: [] })
    }),
  )
})

it('is short for what is usual', () => expect(eventsSearch.write(eventsSearch.fallback)).toEqual({}))

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fromGigabytes, toGigabytes } from './byte-units.ts'

it.each([
  ['', null],
  [' 1.5 ', 1_500_000_000],
  ['0,25', 250_000_000],
  ['-1', undefined],
  ['ten', undefined],
])('%j is %s bytes', (text, bytes) => expect(fromGigabytes(text)).toBe(bytes))

it('reads what it writes', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 45 }), (bytes) => {
      expect(fromGigabytes(toGigabytes(bytes))).toBe(bytes)
    }),
  )
})

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anyText } from '../search.ts'
import { names, offset } from './search-fields.ts'

it('lists of names are the same after their text, whatever is in a name', () => {
  const name = fc.oneof(fc.string({ minLength: 1 }), fc.stringMatching(/^[%,2C5]+$/))
  fc.assert(
    fc.property(fc.uniqueArray(name), (list) => {
      expect(names.parse(names.format(list))).toEqual(list)
    }),
  )
})

it('lists with an empty name or one twice are not read', () => {
  expect(names.parse('a,,b')).toBeUndefined()
  expect(names.parse('a,b,a')).toBeUndefined()
  expect(names.parse('')).toEqual([])
})

it('a place in a list is a whole number', () => {
  expect(offset.parse('50')).toBe(50)
  expect([offset.parse('-1'), offset.parse('1.5'), offset.parse('x'), offset.parse('')]).toEqual(
    Array(4).fill(undefined),
  )
})

it('text is any', () => expect(anyText().parse('a=b&c')).toBe('a=b&c'))

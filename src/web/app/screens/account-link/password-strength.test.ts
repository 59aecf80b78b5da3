import { expect, it } from 'vitest'
import { lengthInWords, lengthOf } from './password-strength.ts'

it.each([
  ['', 0],
  ['abc', 3],
  ['a\u0308', 1],
  ['🦔🦔', 2],
])('%j has %i characters', (password, length) => expect(lengthOf(password)).toBe(length))

it('says how far it is', () => {
  expect(lengthInWords('seven77')).toBe('7 of 12 characters')
  expect(lengthInWords('twelve chars')).toBe('Long enough')
})

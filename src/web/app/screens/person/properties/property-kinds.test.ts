import fc from 'fast-check'
import { expect, it } from 'vitest'
import { kindOfValue, readAs, textForKind, textOfValue } from './property-kinds.ts'

it('is the same value after it was opened and saved', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (any) => {
      const value: unknown = JSON.parse(JSON.stringify(any))
      expect(readAs(kindOfValue(value), textOfValue(value))).toEqual({ value })
    }),
  )
})

it.each([
  ['number', ''],
  ['number', 'five'],
  ['number', 'Infinity'],
  ['json', '{'],
] as const)('has no %s in %j', (kind, text) => expect(readAs(kind, text)).toBeNull())

it('takes over what another kind can have', () => {
  expect(textForKind('true', 'boolean')).toBe('true')
  expect(textForKind('maybe', 'boolean')).toBe('false')
  expect(textForKind('12', 'number')).toBe('12')
  expect(textForKind('12', 'nothing')).toBe('')
})

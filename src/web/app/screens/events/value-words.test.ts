import { expect, it } from 'vitest'
import { matchingProperties, shortValue, wholeValue } from './value-words.ts'

it.each([
  [undefined, ''],
  ['paid', 'paid'],
  [1.5, '1.5'],
  [false, 'false'],
  [null, 'null'],
  [[1], '[1 item]'],
  [{ a: 1, b: 2 }, '{2 fields}'],
])('%j is %s in a cell', (value, words) => expect(shortValue(value)).toBe(words))

it('long text is cut in a cell, not elsewhere', () => {
  expect(shortValue('x'.repeat(1_000))).toHaveLength(121)
  expect(wholeValue('x'.repeat(1_000))).toHaveLength(1_000)
  expect(wholeValue({ a: [1] })).toBe('{\n  "a": [\n    1\n  ]\n}')
})

it('properties are found by name and by value', () => {
  const properties = { plan: 'paid', $browser: 'Firefox', price: 129, cart: { plan: 1 } }
  expect(matchingProperties(properties, '')).toEqual(['$browser', 'cart', 'plan', 'price'])
  expect(matchingProperties(properties, 'FIRE')).toEqual(['$browser'])
  expect(matchingProperties(properties, '12')).toEqual(['price'])
  expect(matchingProperties(properties, 'p')).toEqual(['plan', 'price'])
})

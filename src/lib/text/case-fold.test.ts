import { expect, it } from 'vitest'
import { foldCase } from './case-fold.ts'

it.each([
  ['ZÜRICH', 'zürich'],
  ['STRASSE', 'straße'],
  ['STRAẞE', 'straße'],
  ['ΟΔΟΣ', 'οδος'],
  ['ΟΔΥΣΣΕΥΣ', 'οδυσσευς'],
  ['\u212A', 'k'],
  ['ſ', 's'],
  ['ПРИВЕТ', 'привет'],
  ['𐐀', '𐐨'],
])('%s folds like %s', (upper, lower) => {
  expect(foldCase(upper)).toBe(foldCase(lower))
})

it('folds a part of a text to a part of the folded text', () => {
  expect(foldCase('ΟΔΟΣΑ')).toContain(foldCase('ΟΔΟΣ'))
})

it('keeps accents apart', () => {
  expect(foldCase('é')).not.toBe(foldCase('e'))
})

it('is stable for every letter that has a case', () => {
  const unstable: string[] = []
  for (let code = 0; code <= 0x1ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const letter = String.fromCodePoint(code)
    const folded = foldCase(letter)
    if (foldCase(letter.toUpperCase()) !== folded || foldCase(letter.toLowerCase()) !== folded) unstable.push(letter)
  }
  expect(unstable).toEqual([])
})

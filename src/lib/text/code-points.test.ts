import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutText, isLongerThan } from './code-points.ts'

describe('cutText', () => {
  it('counts code points and never leaves half of a pair behind', () => {
    expect(cutText('ab', 3)).toBe('ab')
    expect(cutText('abcd', 3)).toBe('abc')
    expect(cutText(`${'a'.repeat(199)}😀b`, 200)).toBe(`${'a'.repeat(199)}😀`)
    expect(cutText('😀'.repeat(300), 200)).toBe('😀'.repeat(200))
    expect(cutText('😀', 0)).toBe('')
  })
  it('agrees with the plain way on any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.nat(30), (text, most) => {
        const points = Array.from(text)
        expect(cutText(text, most)).toBe(points.slice(0, most).join(''))
        expect(isLongerThan(text, most)).toBe(points.length > most)
      }),
    )
  })
})

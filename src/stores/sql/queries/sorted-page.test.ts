import fc from 'fast-check'
import { expect, it } from 'vitest'
import { byText } from './sorted-page.ts'

it('orders texts as their UTF-8 does', () => {
  const text = fc.string({
    unit: fc.oneof(
      fc.constantFrom('a', '퟿', '', '｡', '😀', '😁', '\u{10ffff}'),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    ),
    maxLength: 6,
  })
  const same = fc.property(text, text, (a, b) => {
    expect(Math.sign(byText(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)))
  })
  fc.assert(same, { numRuns: 2_000 })
})

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sortInSlices } from './sort-in-slices.ts'

interface Item {
  key: number
  place: number
}

const byKey = (a: Item, b: Item): number => a.key - b.key

it('sorts as a list does, equal ones in the order in which they came', async () => {
  const sizes = fc.oneof(fc.nat(3), fc.nat(4_000), fc.constantFrom(499, 500, 501, 999, 1_000, 1_001, 1_500))
  await fc.assert(
    fc.asyncProperty(sizes, fc.integer({ min: 1, max: 5_000 }), async (size, keys) => {
      const items = Array.from({ length: size }, (_, place) => ({ key: (place * 7_919) % keys, place }))
      const before = [...items]
      expect(await sortInSlices(items, byKey)).toEqual(items.toSorted(byKey))
      expect(items).toEqual(before)
    }),
    { numRuns: 40 },
  )
})

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { FirstInOrder } from './first-in-order.ts'

const compare = (a: number, b: number) => a - b

it('keeps what comes first, whatever came when', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ noNaN: true }), { maxLength: 50 }), fc.nat(60), (numbers, count) => {
      const first = new FirstInOrder(count, compare)
      for (const number of numbers) first.add(number)
      const sorted = numbers.toSorted(compare)
      expect(first.last).toEqual(count > numbers.length ? undefined : sorted[count - 1])
      expect(first.items).toEqual(sorted.slice(0, count))
    }),
  )
})

it('does the same in slices', async () => {
  const first = new FirstInOrder(3_000, compare)
  const numbers = Array.from({ length: 40_000 }, (_, n) => (n * 7_919) % 40_009)
  let cuts = 0
  for (const number of numbers) {
    const cutting = first.addInSlices(number)
    if (cutting) cuts += 1
    await cutting
  }
  expect(await first.itemsInSlices()).toEqual(numbers.toSorted(compare).slice(0, 3_000))
  expect(cuts).toBeGreaterThan(0)
})

it('finds the first few of many thousands, asked in between', () => {
  const first = new FirstInOrder(3, compare)
  for (let n = 20_000; n > 0; n--) {
    first.add(n)
    if (n === 10_000) expect(first.items).toEqual([10_000, 10_001, 10_002])
  }
  expect(first.items).toEqual([1, 2, 3])
})

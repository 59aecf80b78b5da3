import { expect, it } from 'vitest'
import { usableMemory } from './usable-memory.ts'

it.each([
  ['a limit below the memory of the machine', 2e9, 8e9, 2e9],
  ['no limit, named as 0', 0, 8e9, 8e9],
  ['no limit, named as a huge number', 2 ** 63, 8e9, 8e9],
  ['a limit above the memory of the machine', 16e9, 8e9, 8e9],
])('goes by %s', (_, constrained, total, usable) => {
  expect(usableMemory(constrained, total)).toBe(usable)
})

it('is what this process has', () => {
  expect(usableMemory()).toBeGreaterThan(process.memoryUsage.rss())
})

import { expect, it } from 'vitest'
import { freeBytes } from './free-bytes.ts'

it('gives the memory of large buffers back at once', () => {
  const before = process.memoryUsage().arrayBuffers
  for (let i = 0; i < 20; i++) {
    const bytes = Buffer.allocUnsafeSlow(50_000_000)
    freeBytes(bytes)
    expect(bytes.length).toBe(0)
  }
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50_000_000)
})

it('leaves small ones as they are', () => {
  const bytes = Buffer.from('abc')
  freeBytes(bytes)
  expect(bytes.toString()).toBe('abc')
})

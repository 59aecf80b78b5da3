import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ByteCollector } from './byte-collector.ts'

it('joins the pieces, in memory not shared with them', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 40_000 }), { maxLength: 12 }), fc.nat(600_000), (parts, said) => {
      const pieces = parts.map((part) => Buffer.from(part))
      const collector = new ByteCollector(said)
      for (const piece of pieces) collector.add(piece)
      const whole = Buffer.concat(pieces)
      expect(collector.length).toBe(whole.length)
      const taken = collector.take()
      for (const piece of pieces) piece.fill(0)
      expect(taken.equals(whole)).toBe(true)
    }),
  )
})

it('passes over pieces without bytes', () => {
  const collector = new ByteCollector()
  for (const piece of ['', '', 'a', '', 'b']) collector.add(Buffer.from(piece))
  expect(collector.take().toString()).toBe('ab')
})

it('takes a hundred thousand single bytes', () => {
  const collector = new ByteCollector()
  for (let i = 0; i < 100_000; i++) collector.add(Buffer.from([i & 255]))
  expect(collector.take().equals(Buffer.from(Array.from({ length: 100_000 }, (_, i) => i & 255)))).toBe(true)
})

it('takes the length that was said at once, but not before a quarter has come', () => {
  const collector = new ByteCollector(1_000_000)
  const piece = Buffer.alloc(10_000, 'a')
  for (let i = 0; i < 24; i++) collector.add(piece)
  expect(collector.bytes.buffer.byteLength).toBeLessThan(1_000_000)
  for (let i = 24; i < 100; i++) collector.add(piece)
  expect(collector.bytes.buffer.byteLength).toBe(1_000_000)
  expect(collector.take().equals(Buffer.alloc(1_000_000, 'a'))).toBe(true)
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeLz64 } from '../../src/lib/bytes/lz64.ts'
import { compressLz64 } from '../support/replay/lz64.ts'

const decode = async (text: string, limit = 1_000_000, hold: (bytes: number) => void = () => {}) =>
  (await decodeLz64(Buffer.from(text), { limit, hold })).toString()

describe('lz64', () => {
  it.each([
    ['BIUwNmD2A0AEDukBOYAmBCIA', 'Hello, world!'],
    ['M4ewrgTgxgpgBMALhAlgOwOZAAA=', 'source string'],
  ])('reads what lz-string itself wrote: %s', async (text, expected) => {
    expect(await decode(text)).toBe(expected)
    expect(await decode(compressLz64(expected))).toBe(expected)
  })
  it('reads any text', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 300 })
    const repeated = fc.tuple(fc.string({ maxLength: 4 }), fc.nat(400)).map(([part, count]) => part.repeat(count))
    await fc.assert(
      fc.asyncProperty(fc.oneof(text, repeated, fc.json()), async (given) => {
        expect(await decode(compressLz64(given))).toBe(given)
      }),
    )
  })
  it('reads a long one in slices, and charges what it takes', async () => {
    const given = JSON.stringify(Array.from({ length: 20_000 }, (_, i) => ({ event: `e${i % 97}`, at: i * 7_919 })))
    let held = 0
    expect(await decode(compressLz64(given), 10_000_000, (bytes) => (held += bytes))).toBe(given)
    expect(held).toBeGreaterThan(2 * given.length)
  })
  it('stops at its limit, of which few bytes may be many', async () => {
    const bomb = compressLz64('a'.repeat(200_000))
    expect(bomb.length).toBeLessThan(2_000)
    let held = 0
    const hold = (bytes: number) => (held += bytes)
    await expect(decode(bomb, 100_000, hold)).rejects.toThrow('more than 100000 bytes after decompression')
    expect(held).toBeLessThan(1_000_000)
    await expect(decode(compressLz64('ü'.repeat(600)), 1_000)).rejects.toThrow('more than 1000 bytes')
  })
  it('passes on the refusal of what is to hold it', async () => {
    const hold = () => {
      throw new Error('no room')
    }
    await expect(decode(compressLz64('a'.repeat(5_000)), 1_000_000, hold)).rejects.toThrow('no room')
  })
  it.each(['', 'AAAA', 'BIUwNmD2A0AEDukBOYAm', '!!!', '////////', 'BIUwNmD2A0AE\u00ffukBOYAmBCIA'])(
    'refuses %j',
    async (text) => {
      await expect(decode(text)).rejects.toThrow()
    },
  )
})

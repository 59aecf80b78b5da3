import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linkTo, readCursor, writeCursor } from './event-cursor.ts'

const position = { timestamp: 1_772_625_600_000.123, seq: 7, place: 123_456 }
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('a cursor', () => {
  it('round-trips any position', () => {
    const numbers = fc.record({
      timestamp: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value)),
      seq: fc.maxSafeInteger(),
      place: fc.maxSafeInteger(),
    })
    fc.assert(
      fc.property(numbers, fc.constantFrom('older' as const, 'newer' as const), (given, direction) => {
        const text = writeCursor({ position: given, direction })
        expect(text).toMatch(/^[\w-]+$/)
        expect(readCursor(text)).toEqual({ position: given, direction })
      }),
    )
  })

  it.each([
    '',
    'garbage',
    '%%%',
    encode(null),
    encode({}),
    encode([]),
    encode(['o', 1, 2]),
    encode(['o', 1, 2, 3, 4]),
    encode(['x', 1, 2, 3]),
    encode(['__proto__', 1, 2, 3]),
    encode(['o', '1', 2, 3]),
    encode(['o', null, 2, 3]),
    encode(['o', 1, 2.5, 3]),
    encode(['o', 1, 2, 2 ** 60]),
    encode([['o'], 1, 2, '3; DROP TABLE events']),
  ])('refuses %j', (text) => {
    expect(() => readCursor(text)).toThrow(expect.objectContaining({ kind: 'invalid', attr: 'cursor' }))
  })

  it('keeps the rest of the URL', () => {
    const link = new URL(linkTo(new URL('https://h.example/a/?event=a%26b&cursor=x&limit=5'), position, 'newer'))
    expect(link.origin + link.pathname).toBe('https://h.example/a/')
    expect([...link.searchParams.keys()]).toEqual(['event', 'cursor', 'limit'])
    expect(link.searchParams.get('event')).toBe('a&b')
    expect(readCursor(link.searchParams.get('cursor') ?? '')).toEqual({ position, direction: 'newer' })
  })
})

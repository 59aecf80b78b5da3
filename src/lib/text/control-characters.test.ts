import { describe, expect, it } from 'vitest'
import { escapeControlCharacters, hasControlCharacters } from './control-characters.ts'

const range = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, i) => String.fromCharCode(from + i))

const UNSEEN = [...range(0, 0x1f), ...range(0x7f, 0x9f), ...range(0x202a, 0x202e), ...range(0x2066, 0x2069)]

describe('control characters', () => {
  it('are the controls and the signs that embed, override or isolate a direction, and no others', () => {
    const found = range(0, 0xffff).filter((sign) => hasControlCharacters(`a${sign}b`))
    expect(found).toEqual(UNSEEN)
  })

  it.each(['می‌خواهم', 'שלום\u200f!', '\u200eabc', '👩‍👩‍👧', 'é', '日本語', '🌿', '\u00a0', '\u2028'])(
    'are not in %j',
    (text) => {
      expect(hasControlCharacters(text)).toBe(false)
      expect(escapeControlCharacters(text)).toBe(text)
    },
  )

  it('are written out, each of them', () => {
    expect(escapeControlCharacters('a\u001b[31mb\nc\u202ed\u2069\u0085')).toBe(
      'a\\u001b[31mb\\u000ac\\u202ed\\u2069\\u0085',
    )
    expect(hasControlCharacters(escapeControlCharacters(UNSEEN.join('')))).toBe(false)
  })
})

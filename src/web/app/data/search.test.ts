import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { choice, defineSearch, ownPath } from './search.ts'

const search = defineSearch<{ lang: 'a' | 'b'; next: string }>({ lang: choice(['a', 'b'], 'a'), next: ownPath('/') })

describe('an address', () => {
  it('leaves out what is the default', () => {
    expect(search.write({ lang: 'a', next: '/' })).toEqual({})
    expect(search.write({ lang: 'b', next: '/x?y=1' })).toEqual({ lang: 'b', next: '/x?y=1' })
  })
  it('falls back where it cannot be read, and says so', () => {
    expect(search.read({ lang: 'c', other: '1', theme: 'dark' })).toEqual({
      state: { lang: 'a', next: '/' },
      unread: ['other', 'lang'],
    })
  })
})

describe('a path of the app', () => {
  const { parse } = ownPath('/')
  it.each(['/', '/project/1/start?lang=curl', '/a%2F%2Fb'])('may be %s', (path) => expect(parse(path)).toBe(path))
  it.each(['', 'x', '//evil.example', '/\\evil.example', 'https://evil.example', '/a\nb', '/a\\b', 'javascript:1'])(
    'may not be %j',
    (path) => expect(parse(path)).toBeUndefined(),
  )
  it('never leads to another host', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('', '/', '//', '/\\', '\t/'), (text, before) => {
        const path = parse(before + text)
        if (path !== undefined) expect(new URL(path, 'https://a.example').origin).toBe('https://a.example')
      }),
      { numRuns: 2_000 },
    )
  })
})

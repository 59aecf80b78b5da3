import { describe, expect, it } from 'vitest'
import { etagOf, isCurrent } from './etag.ts'

describe('etagOf', () => {
  it('is a quoted, strong tag that depends on every byte', () => {
    expect(etagOf('text')).toMatch(/^"[\w-]{24}"$/)
    expect(etagOf('text')).toBe(etagOf(Buffer.from('text')))
    expect(etagOf('image/png', 'text')).not.toBe(etagOf('image/svg+xml', 'text'))
    expect(etagOf('text')).not.toBe(etagOf('texT'))
  })
})

describe('isCurrent', () => {
  const tag = etagOf('text')
  it.each([
    ['the tag', tag],
    ['the weak tag', `W/${tag}`],
    ['a list', `"x", ${tag}`],
    ['a list without spaces', `"x",${tag},"y"`],
    ['a list of weak tags', `W/"x", W/${tag}`],
    ['a list with a comma in another tag', `"a,b", ${tag}`],
    ['any version', '*'],
  ])('holds for %s', (_, header) => {
    expect(isCurrent({ 'if-none-match': header }, tag)).toBe(true)
  })

  it('holds for a header that was sent twice', () => {
    expect(isCurrent({ 'if-none-match': ['"x"', tag] }, tag)).toBe(true)
  })

  it.each([
    ['no header', undefined],
    ['nothing', ''],
    ['another tag', '"x"'],
    ['the tag without quotes', tag.slice(1, -1)],
    ['a tag that begins like it', `${tag.slice(0, -2)}"`],
    ['the tag within another', `"x ${tag.slice(1)}`],
  ])('does not hold for %s', (_, header) => {
    expect(isCurrent({ 'if-none-match': header }, tag)).toBe(false)
  })
})

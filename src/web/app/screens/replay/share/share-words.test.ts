import { expect, it } from 'vitest'
import { embedCode, linkAt } from './share-words.ts'

it('a link begins at a second, or says nothing of it', () => {
  expect(linkAt('https://stats.example.com/a/shared/tok', 7)).toBe('https://stats.example.com/a/shared/tok?t=7')
  expect(linkAt('https://stats.example.com/shared/tok', 0)).toBe('https://stats.example.com/shared/tok')
})

it('code for a page has the address that may be in a frame', () => {
  const link = linkAt('https://stats.example.com/a/shared/tok', 7)
  expect(embedCode(link)).toContain('src="https://stats.example.com/a/embedded/tok?t=7"')
})

it('code for a page cannot be broken out of', () => {
  const code = embedCode('https://example.com/?a=1&b="><script>')
  expect(code).toContain('src="https://example.com/?a=1&amp;b=%22%3E%3Cscript%3E"')
})

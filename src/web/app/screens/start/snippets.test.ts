import { expect, it } from 'vitest'
import { LANG_NAMES, snippet } from './snippets.ts'
import { LANGS } from './start.search.ts'

const target = { host: 'https://a.example/hr', token: 'phc_abc' }

it.each(LANGS)('%s names the token and the address', (lang) => {
  expect(snippet(lang, target)).toContain('phc_abc')
  expect(snippet(lang, target)).toContain('https://a.example/hr')
  expect(LANG_NAMES[lang]).toBeTruthy()
})

it('puts no text outside its quotes', () => {
  const odd = { host: "https://a.example/'", token: "a'b" }
  expect(snippet('node', odd)).toContain(`'a\\u0027b'`)
  expect(snippet('curl', odd)).toContain(`'https://a.example/'\\''/i/v0/e/'`)
})

import { expect, it } from 'vitest'
import { PRESET_IDS } from './keys.search.ts'
import { choiceOf, NOTHING, scopesInWords, scopesOf } from './scopes.ts'

it('says a choice as the API does', () => {
  expect(scopesOf('own', { ...NOTHING, person: 'read', query: 'write' })).toEqual(['person:read', 'query:write'])
  expect(scopesOf('all', choiceOf('all'))).toEqual(['*'])
  expect(scopesOf('read', choiceOf('read')).every((scope) => scope.endsWith(':read'))).toBe(true)
  expect(scopesOf('own', choiceOf('own'))).toEqual([])
})

it.each(PRESET_IDS.filter((id) => id !== 'own'))('%s allows something', (id) => {
  expect(scopesOf(id, choiceOf(id)).length).toBeGreaterThan(0)
})

it('is told in a few words', () => {
  expect(scopesInWords(['*'])).toBe('Everything')
  expect(scopesInWords(['person:read'])).toBe('person:read')
  expect(scopesInWords(['a', 'b', 'c', 'd'])).toBe('4 scopes')
})

import { describe, expect, it } from 'vitest'
import type { Person } from '../../model/persons/person.ts'
import { isAnonymous, personName, sortDistinctIds } from './person-name.ts'

const person = (properties: Record<string, unknown>, distinctIds = ['id-1']): Person => ({
  id: 37,
  projectId: 1,
  uuid: 'u',
  properties,
  isIdentified: true,
  createdAt: 0,
  lastSeenAt: null,
  distinctIds,
})

describe('personName', () => {
  it.each([
    [{ name: 'Jane', email: 'j@x' }, 'j@x'],
    [{ UserName: 'jj' }, 'jj'],
    [{ email: '', name: 'Jane' }, 'Jane'],
    [{ email: null, Email: 0, $email: false, name: 42 }, '42'],
    [{ name: true }, 'true'],
    [{ name: { first: 'J' }, username: ['x'] }, 'id-1'],
    [{}, 'id-1'],
  ])('of %j is %s', (properties, name) => {
    expect(personName(person(properties), null)).toBe(name)
  })
  it('asks only the properties the project has chosen', () => {
    expect(personName(person({ email: 'j@x', title: 'Dr' }), ['title'])).toBe('Dr')
    expect(personName(person({ email: 'j@x' }), ['title'])).toBe('id-1')
  })
  it('prefers a given id to a made-up one, and falls back to the number', () => {
    expect(personName(person({}, ['a-b-c-d-e', 'jane']), null)).toBe('jane')
    expect(personName(person({}, []), null)).toBe('37')
  })
})

describe('made-up ids', () => {
  it.each([
    ['a-b-c-d-e', true],
    ['131ecd7b-7aa1-5121-8fd3-5353d39dd23e', true],
    ['131ECD7B-7AA1-5121-8FD3-5353D39DD23E', false],
    ['user_1', false],
  ])('%s: %s', (id, expected) => expect(isAnonymous(id)).toBe(expected))
  it('go last, the others keep their order', () => {
    expect(sortDistinctIds(['a-b-c-d-e', 'z', 'f-g-h-i-j', 'a'])).toEqual(['z', 'a', 'a-b-c-d-e', 'f-g-h-i-j'])
  })
})

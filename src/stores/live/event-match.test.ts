import { describe, expect, it } from 'vitest'
import type { PropertyFilter } from '../../model/persons/person.ts'
import { makeEvent } from '../contract/batch-builders.ts'
import { propertyFilterCases } from '../contract/property-filter-cases.ts'
import { leavesOf, patternsOf } from '../property-filter.ts'
import { eventMatch } from './event-match.ts'

const isAsked = (filter: PropertyFilter): boolean =>
  leavesOf(filter).every((condition) => patternsOf(condition).length === 0)

/** As an event store would find them. */
describe('property filters', () =>
  propertyFilterCases(
    async (rows) => async (properties) => {
      const matches = eventMatch({ properties })
      const found = Object.entries(rows).filter(([, row]) => {
        // As they come from the outbox.
        const text = JSON.stringify(row)
        return matches({ ...makeEvent(1), properties: text }, () => JSON.parse(text))
      })
      return found.map(([name]) => name)
    },
    'full',
    isAsked,
  ))

const event = { ...makeEvent(1, { event: 'bought', distinctId: 'ann' }), properties: '{}' }
const unread = () => {
  throw new Error('read in vain')
}

it('goes by name and distinct id first', () => {
  const properties: PropertyFilter = { key: 'p', operator: 'is_not_set', value: null }
  expect(eventMatch({ event: 'sold', properties })(event, unread)).toBe(false)
  expect(eventMatch({ distinctIds: ['bob'], properties })(event, unread)).toBe(false)
  expect(eventMatch({ distinctIds: [], properties })(event, unread)).toBe(false)
  expect(eventMatch({ event: 'bought', distinctIds: ['bob', 'ann'] })(event, unread)).toBe(true)
  expect(eventMatch({ event: 'bought', properties })(event, () => ({}))).toBe(true)
})

it('refuses patterns, wherever they are', () => {
  const pattern: PropertyFilter = { key: 'p', operator: 'not_regex', value: 'a' }
  expect(() => eventMatch({ properties: { join: 'OR', of: [pattern] } })).toThrow('Patterns cannot be matched')
})

import { describe, expect, test } from 'vitest'
import { readTimelineRequest } from './timeline-request.ts'

const person = (key: string) => ({ key, value: 'never', operator: 'exact', type: 'person' })

describe('the query of a timeline', () => {
  test('without parameters means every event of the default dates', () => {
    expect(readTimelineRequest({})).toEqual({
      events: null,
      crucialKeys: [],
      dateFrom: undefined,
      dateTo: undefined,
      interval: 'day',
    })
  })

  test('crucial are the person properties of filters, of events and of a breakdown by person, sorted, once', () => {
    const { crucialKeys } = readTimelineRequest({
      properties: JSON.stringify([person('foo'), { key: 'url', type: 'event' }, { key: 'untyped' }]),
      events: JSON.stringify([{ id: 'a', properties: [person('bar'), person('foo')] }]),
      breakdown: '["zip", "foo"]',
      breakdown_type: 'person',
    })
    expect(crucialKeys).toEqual(['bar', 'foo', 'zip'])
  })

  test('groups of filters are walked', () => {
    const group = { type: 'AND', values: [{ type: 'OR', values: [person('a'), person('b')] }] }
    expect(readTimelineRequest({ properties: JSON.stringify(group) }).crucialKeys).toEqual(['a', 'b'])
  })

  test.each([
    ['email', 'person', ['email']],
    ['123', 'person', ['123']],
    ['email', 'event', []],
  ])('a breakdown %s of type %s gives %j', (breakdown, breakdown_type, keys) => {
    expect(readTimelineRequest({ breakdown, breakdown_type }).crucialKeys).toEqual(keys)
  })

  test('names each event once; one without a name stands for all', () => {
    expect(readTimelineRequest({ events: '[{"id":"a"},{"id":"b"},{"id":"a"}]' }).events).toEqual(['a', 'b'])
    expect(readTimelineRequest({ events: '[{"id":"a"},{"id":null}]' }).events).toBeNull()
    expect(readTimelineRequest({ events: '[]' }).events).toBeNull()
  })

  test('empty parameters are ignored', () => {
    const empty = { events: '', actions: '[]', properties: ' ', breakdown: '', date_from: '', date_to: ' ' }
    expect(readTimelineRequest(empty)).toEqual(readTimelineRequest({}))
  })

  test.each([
    [{ events: '{' }, 'events'],
    [{ events: '{"id":"a"}' }, 'events'],
    [{ events: '[{"id":5}]' }, 'events'],
    [{ actions: '[{"id":5}]' }, 'actions'],
    [{ properties: '[' }, 'properties'],
    [{ properties: '"x"' }, 'properties'],
    [{ properties: `${'['.repeat(50)}${']'.repeat(50)}` }, 'properties'],
    [{ breakdown: '[1]', breakdown_type: 'person' }, 'breakdown'],
  ])('refuses %j', (query, attr) => {
    expect(() => readTimelineRequest(query)).toThrow(expect.objectContaining({ kind: 'invalid', attr }))
  })
})

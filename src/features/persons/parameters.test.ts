import { describe, expect, test } from 'vitest'
import { readKeysToUnset, readPropertyToSet, readSplitRequest } from './parameters.ts'

describe('a property to set', () => {
  test.each<[Record<string, unknown>, Record<string, unknown>, unknown]>([
    [{ key: 'a', value: 1.5 }, {}, { key: 'a', value: 1.5 }],
    [{ key: 'a', value: null }, { value: '7' }, { key: 'a', value: null }],
    [{ value: false }, { key: 'a' }, { key: 'a', value: false }],
    [{ key: 'a' }, { key: 'b', value: '{"x":[]}' }, { key: 'a', value: { x: [] } }],
    [{}, { key: 'a', value: 'plain text' }, { key: 'a', value: 'plain text' }],
    [{}, { key: 'a', value: '"text"' }, { key: 'a', value: 'text' }],
    [{}, { key: 'a', value: '' }, { key: 'a', value: '' }],
    [{}, { key: 'a', value: 'null' }, { key: 'a', value: null }],
    [{}, { key: 'a', value: '9007199254740993' }, { key: 'a', value: '9007199254740993' }],
    [{}, { key: '1', value: '1' }, { key: '1', value: 1 }],
    [{ properties: { key: 'x', value: 'y' } }, { key: 'a', value: '0' }, { key: 'a', value: 0 }],
  ])('from body %j and query %j is %j', (body, query, expected) => {
    expect(readPropertyToSet(body, query)).toEqual(expected)
  })

  test.each<[Record<string, unknown>, Record<string, unknown>, string, string]>([
    [{ key: 'a' }, {}, 'value', 'required'],
    [{ value: 1 }, {}, 'key', 'required'],
    [{ key: null, value: 1 }, { key: 'a' }, 'key', 'null'],
    [{ key: 5, value: 1 }, {}, 'key', 'invalid_input'],
    [{ key: '', value: 1 }, {}, 'key', 'blank'],
  ])('body %j and query %j: %s is %s', (body, query, attr, code) => {
    expect(() => readPropertyToSet(body, query)).toThrow(expect.objectContaining({ attr, code }))
  })

  test('all problems are reported at once', () => {
    expect(() => readPropertyToSet({}, {})).toThrow(
      expect.objectContaining({
        problems: [expect.objectContaining({ attr: 'value' }), expect.objectContaining({ attr: 'key' })],
      }),
    )
  })
})

describe('keys to unset', () => {
  test.each<[Record<string, unknown>, Record<string, unknown>, string[]]>([
    [{ $unset: 'a' }, { $unset: 'b' }, ['a']],
    [{ $unset: ['a', ''] }, {}, ['a', '']],
    [{ $unset: [] }, {}, []],
    [{}, { $unset: 'b' }, ['b']],
    [{}, { $unset: '["a","b"]' }, ['a', 'b']],
    [{}, { $unset: '[odd' }, ['[odd']],
    [{ properties: {} }, { $unset: 'b' }, ['b']],
  ])('from body %j and query %j are %j', (body, query, expected) => {
    expect(readKeysToUnset(body, query)).toEqual(expected)
  })

  test.each<[Record<string, unknown>, string]>([
    [{}, 'required'],
    [{ $unset: '' }, 'blank'],
    [{ $unset: null }, 'null'],
    [{ $unset: [1] }, 'invalid_input'],
    [{ $unset: { a: 1 } }, 'invalid_input'],
  ])('%j is refused: %s', (body, code) => {
    expect(() => readKeysToUnset(body, {})).toThrow(expect.objectContaining({ attr: '$unset', code }))
  })
})

describe('a split request', () => {
  test.each<[Record<string, unknown>, Record<string, unknown>, unknown]>([
    [{}, {}, { main: null, chosen: null }],
    [{ main_distinct_id: null, distinct_ids_to_split: ['a'] }, {}, { main: null, chosen: ['a'] }],
    [{ main_distinct_id: 'a' }, { main_distinct_id: 'b' }, { main: 'a', chosen: null }],
    [{}, { distinct_ids_to_split: 'a, b,,c' }, { main: null, chosen: ['a', 'b', 'c'] }],
    [{}, { distinct_ids_to_split: '["a,b", " c"]' }, { main: null, chosen: ['a,b', ' c'] }],
    [{}, { distinct_ids_to_split: '12' }, { main: null, chosen: ['12'] }],
    [{}, { distinct_ids_to_split: '[t6, b' }, { main: null, chosen: ['[t6', 'b'] }],
  ])('from body %j and query %j is %j', (body, query, expected) => {
    expect(readSplitRequest(body, query)).toEqual(expected)
  })

  test.each<[Record<string, unknown>, Record<string, unknown>, string | null, string]>([
    [{ distinct_ids_to_split: [] }, {}, 'distinct_ids_to_split', 'must not be empty'],
    [{}, { distinct_ids_to_split: ' , ' }, 'distinct_ids_to_split', 'must not be empty'],
    [{ distinct_ids_to_split: 'a' }, {}, 'distinct_ids_to_split', 'must be a list of strings'],
    [{ distinct_ids_to_split: null }, {}, 'distinct_ids_to_split', 'must be a list of strings'],
    [{ distinct_ids_to_split: ['a', 1] }, {}, 'distinct_ids_to_split', 'must be a list of strings'],
    [{}, { distinct_ids_to_split: '[1]' }, 'distinct_ids_to_split', 'must be a list of strings'],
    [{ main_distinct_id: 4 }, {}, 'main_distinct_id', 'Not a valid string.'],
    [
      { main_distinct_id: 'a' },
      { distinct_ids_to_split: 'b' },
      null,
      'main_distinct_id cannot be combined with distinct_ids_to_split',
    ],
  ])('body %j and query %j: %s %s', (body, query, attr, message) => {
    expect(() => readSplitRequest(body, query)).toThrow(expect.objectContaining({ attr, message }))
  })
})

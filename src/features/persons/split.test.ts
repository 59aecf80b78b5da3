import { describe, expect, test } from 'vitest'
import { personUuid } from '../../rules/persons/identity.ts'
import { idsToSplit, splitTarget } from './split.ts'

const nothing = { main: null, chosen: null }

describe('which ids are split off', () => {
  test('all but the first stored one by default', () => {
    expect(idsToSplit(['a', 'b', 'c'], nothing)).toEqual(['b', 'c'])
  })

  test('all but the main one', () => {
    expect(idsToSplit(['a', 'b', 'c'], { main: 'b', chosen: null })).toEqual(['a', 'c'])
  })

  test('only the chosen ones, each once, in the order of storing', () => {
    expect(idsToSplit(['a', 'b', 'c', 'd'], { main: null, chosen: ['d', 'b', 'd'] })).toEqual(['b', 'd'])
  })

  test('none when there is only one', () => {
    expect(idsToSplit(['a'], nothing)).toEqual([])
    expect(idsToSplit(['a'], { main: 'a', chosen: null })).toEqual([])
  })

  test.each([
    [['a', 'b'], { main: 'x', chosen: null }, 'main_distinct_id', "not on this person: ['x']"],
    [['a', 'b'], { main: null, chosen: ['y', 'a', 'x'] }, 'distinct_ids_to_split', "not on this person: ['x', 'y']"],
    [['a', 'b'], { main: null, chosen: ['a', 'b'] }, 'distinct_ids_to_split', 'at least one'],
    [['a'], { main: null, chosen: ['a'] }, 'distinct_ids_to_split', 'at least one'],
  ])('of %j the request %j is refused', (ids, request, attr, text) => {
    expect(() => idsToSplit(ids, request)).toThrow(
      expect.objectContaining({ attr, code: 'invalid_input', message: expect.stringContaining(text) }),
    )
  })

  test('a long list of unknown ids is cut short in the message', () => {
    const chosen = Array.from({ length: 5_000 }, (_, i) => `id-${i}`)
    expect(() => idsToSplit(['a'], { main: null, chosen })).toThrow(/^.{1,500}…\]$/)
  })
})

describe('the person an id goes to', () => {
  test('carries the uuid that capture would give it', () => {
    expect(splitTarget({ projectId: 1, uuid: personUuid(1, 'user_1') }, 'user_2')).toEqual({
      uuid: 'c041fad4-d67c-5405-b2e1-54583fbab2a3',
    })
  })

  test('carries another unused one when the person it leaves was named after it', () => {
    const target = splitTarget({ projectId: 1, uuid: personUuid(1, 'user_2') }, 'user_2')
    const [first, second, third] = 'firstFreeOf' in target ? target.firstFreeOf : []
    expect(first).toBe('968f6b81-60ee-5b01-880d-04945d03a769')
    expect(new Set([first, second, third, personUuid(1, 'user_2')]).size).toBe(4)
  })
})

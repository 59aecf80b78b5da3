import { describe, expect, it } from 'vitest'
import { AppError } from '../../lib/errors.ts'
import { readPropertyFilter } from './property-filter.ts'

const NOW = Date.UTC(2024, 2, 31, 12, 0, 0)

const read = (value: unknown) => readPropertyFilter(value, NOW)

function refusal(value: unknown): string {
  try {
    read(value)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    expect(error).toMatchObject({ kind: 'invalid', code: 'invalid_input', attr: 'properties' })
    return error.message
  }
  throw new Error('nothing was refused')
}

const leaf = (key: string) => ({ key, value: 'x', type: 'person' })
const condition = (key: string) => ({ key, operator: 'exact', value: 'x' })

describe('forms', () => {
  it.each([
    undefined,
    null,
    [],
    {},
    { type: 'AND', values: [] },
    { type: 'OR', values: [{ type: 'AND', values: [] }] },
  ])('%j is no filter', (value) => {
    expect(read(value)).toBeNull()
  })

  it('takes a single condition as it is, with exact and person as defaults', () => {
    expect(read([{ key: 'email', value: 'a@b.c' }])).toEqual({ key: 'email', operator: 'exact', value: 'a@b.c' })
    expect(read([{ key: 'a', value: 1, operator: null, type: null }])).toEqual({
      key: 'a',
      operator: 'exact',
      value: 1,
    })
  })

  it('joins a list with AND', () => {
    expect(read([leaf('a'), leaf('b')])).toEqual({ join: 'AND', of: [condition('a'), condition('b')] })
  })

  it('reads groups, nested ones too', () => {
    const inner = { type: 'AND', values: [leaf('b'), leaf('c')] }
    expect(read({ type: 'OR', values: [{ type: 'AND', values: [leaf('a')] }, inner] })).toEqual({
      join: 'OR',
      of: [condition('a'), { join: 'AND', of: [condition('b'), condition('c')] }],
    })
  })

  it('takes a list of groups', () => {
    const group = { type: 'OR', values: [leaf('a'), leaf('b')] }
    expect(read([group])).toEqual({ join: 'OR', of: [condition('a'), condition('b')] })
  })

  it('leaves out groups without conditions', () => {
    expect(
      read({
        type: 'OR',
        values: [
          { type: 'AND', values: [] },
          { type: 'AND', values: [leaf('a')] },
        ],
      }),
    ).toEqual(condition('a'))
  })

  it('keeps a key of any spelling', () => {
    expect(read([leaf('__proto__')])).toEqual(condition('__proto__'))
    expect(read([leaf('a."b"')])).toEqual(condition('a."b"'))
  })
})

describe('refusals', () => {
  const mixed = 'Property list cannot contain both PropertyGroup and Property objects'

  it.each<[unknown, string]>([
    ['email', 'list of filters'],
    [{ email: 'a@b.c' }, 'list of filters'],
    [leaf('a'), 'list of filters'],
    [[leaf('a'), 'x'], 'properties[1]: a filter must be an object'],
    [[null], 'properties[0]'],
    [[leaf('a'), { value: 'x' }], 'properties[1]: key'],
    [[{ key: '', value: 'x' }], 'properties[0]: key'],
    [[{ key: 7, value: 'x' }], 'properties[0]: key'],
    [[{ key: 'a', value: 'x', operator: 'like' }], "properties[0]: unknown operator 'like'"],
    [[{ key: 'a', value: 'x', operator: 'constructor' }], "unknown operator 'constructor'"],
    [[{ key: 'a', value: 'x', operator: 3 }], 'operator must be text'],
    [[{ key: 'id', value: 1, type: 'cohort' }], 'cohorts do not exist yet'],
    [[{ key: 'id', value: 1, type: 'static-cohort' }], 'cohorts do not exist yet'],
    [[{ key: 'a', value: 1, type: 'event' }], "type 'event' are not supported"],
    [[{ key: 'a', value: 1, type: 'hogql' }], "type 'hogql' are not supported"],
    [[{ key: 'a', value: 1, type: 5 }], 'type must be text'],
    [{ type: 'XOR', values: [leaf('a')] }, "must be 'AND' or 'OR'"],
    [{ values: [leaf('a')] }, "must be 'AND' or 'OR'"],
    [{ type: 'AND' }, 'properties: values must be a list'],
    [{ type: 'AND', values: [{ type: 'OR', values: 5 }] }, 'properties.values[0]: values must be a list'],
    [[leaf('a'), { type: 'AND', values: [] }], mixed],
    [{ type: 'AND', values: [{ type: 'AND', values: [leaf('a')] }, leaf('b')] }, mixed],
    [{ type: 'OR', values: [{ type: 'OR', values: [leaf('a'), { key: 'b' }] }] }, 'properties.values[0].values[1]'],
  ])('%j', (value, detail) => {
    expect(refusal(value)).toContain(detail)
  })

  it('bounds the number of conditions', () => {
    const many = (count: number) => Array.from({ length: count }, () => leaf('a'))
    expect(read(many(100))).toMatchObject({ join: 'AND' })
    expect(refusal(many(101))).toContain('at most 100 conditions')
    expect(refusal({ type: 'OR', values: [60, 60].map((n) => ({ type: 'AND', values: many(n) })) })).toContain(
      'at most 100 conditions',
    )
  })

  it('bounds the number of values', () => {
    const listing = (count: number) => [{ key: 'a', value: Array.from({ length: count }, (_, i) => i) }]
    expect(read(listing(500))).toMatchObject({ key: 'a' })
    expect(refusal(listing(501))).toContain('at most 500 values')
  })

  it('bounds the depth', () => {
    const nested = (depth: number): unknown => (depth === 0 ? leaf('a') : { type: 'AND', values: [nested(depth - 1)] })
    expect(read(nested(10))).toEqual(condition('a'))
    expect(refusal(nested(11))).toContain('at most 10 deep')
  })
})

describe('filters of events', () => {
  const readEvents = (value: unknown) => readPropertyFilter(value, NOW, 'event')

  it('are about the event unless they say person', () => {
    const [bare, ofEvent, ofPerson] = [{ key: 'a', value: 'x' }, { ...leaf('b'), type: 'event' }, leaf('c')]
    expect(readEvents([bare, ofEvent, ofPerson])).toEqual({
      join: 'AND',
      of: [condition('a'), condition('b'), { ...condition('c'), type: 'person' }],
    })
  })

  it.each([
    ['session', "properties[0]: filters of type 'session' are not supported here; only 'event' and 'person' are."],
    ['cohort', "properties[0]: filters of type 'cohort' cannot match, as cohorts do not exist yet."],
    [1, 'properties[0]: type must be text.'],
  ])('refuse the type %j', (type, detail) => {
    expect(() => readEvents([{ ...leaf('a'), type }])).toThrow(detail)
    expect(refusal([{ ...leaf('a'), type: 'event' }])).toContain("only 'person' is.")
  })
})

describe('filters of recordings', () => {
  const read = (value: unknown) => readPropertyFilter(value, NOW, 'recording')

  it('are about the person unless they say event', () => {
    const [bare, ofEvent, ofPerson] = [{ key: 'a', value: 'x' }, { ...leaf('b'), type: 'event' }, leaf('c')]
    expect(read([bare, ofEvent, ofPerson])).toEqual({
      join: 'AND',
      of: [condition('a'), { ...condition('b'), type: 'event' }, condition('c')],
    })
    expect(() => read([{ ...leaf('a'), type: 'group' }])).toThrow("only 'event' and 'person' are.")
  })
})

describe('filters of events of one session', () => {
  it('are about the event alone', () => {
    const read = (value: unknown) => readPropertyFilter(value, NOW, 'session event')
    expect(read([{ ...leaf('a'), type: 'event' }])).toEqual(condition('a'))
    expect(() => read([leaf('a')])).toThrow("filters of type 'person' are not supported here; only 'event' is.")
  })
})

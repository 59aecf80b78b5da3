import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { conditionInWords, conditionOf, draftOf, groupInWords, partsOf } from './filter-words.ts'
import {
  type Condition,
  type Filters,
  formatFilters,
  kindOf,
  OPERATOR_NAMES,
  type Operator,
  parseFilters,
} from './property-filter.ts'

const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean())
const valueFor = (operator: Operator) =>
  kindOf(operator) === 'list' ? fc.oneof(scalar, fc.array(scalar, { minLength: 1 })) : scalar

const conditions: fc.Arbitrary<Condition> = fc.constantFrom(...OPERATOR_NAMES).chain((operator) => {
  const named = { key: fc.string(), operator: fc.constant(operator) }
  const typed = { ...named, type: fc.constantFrom('person', 'event') }
  if (kindOf(operator) === 'none') return fc.record(typed, { requiredKeys: ['key', 'operator'] })
  return fc.record({ ...typed, value: valueFor(operator) }, { requiredKeys: ['key', 'operator', 'value'] })
}) as fc.Arbitrary<Condition>

const { group } = fc.letrec((tie) => ({
  group: fc.record({
    type: fc.constantFrom('AND', 'OR'),
    values: fc.array(fc.oneof({ depthSize: 'small' }, conditions, tie('group')), { maxLength: 3 }),
  }),
}))
const filters = fc.oneof(fc.array(conditions, { maxLength: 4 }), group) as fc.Arbitrary<Filters>

describe('filters', () => {
  it('are the same after their text', () => {
    fc.assert(
      fc.property(filters, (some) => {
        expect(parseFilters(formatFilters(some))).toEqual(some)
      }),
    )
  })

  it('without an operator ask for what is equal', () => {
    expect(parseFilters('[{"key":"a","value":1}]')).toEqual([{ key: 'a', operator: 'exact', value: 1 }])
  })

  it.each([
    'x',
    '{}',
    '3',
    '[1]',
    '[{"key":1}]',
    '[{"key":"a","operator":"like","value":1}]',
    '[{"key":"a","operator":"exact"}]',
    '[{"key":"a","operator":"gt","value":[1]}]',
    '[{"key":"a","operator":"exact","value":[]}]',
    '{"type":"OR","values":[1]}',
  ])('are not %s', (text) => expect(parseFilters(text)).toBeUndefined())
})

describe('a condition', () => {
  it('is told in words', () => {
    expect(conditionInWords({ key: 'email', operator: 'icontains', value: ['a', 'b'] })).toBe(
      'email contains “a” or “b”',
    )
    expect(conditionInWords({ key: 'email', operator: 'is_set' })).toBe('email is set')
    expect(conditionInWords({ key: 'v', operator: 'semver_gte', value: '1.2' })).toBe('v is version “1.2” or later')
    const plan: Condition = { key: 'plan', operator: 'exact', value: 'paid' }
    const inner = { type: 'OR' as const, values: [plan, { key: 'n', operator: 'gt' as const, value: 3 }] }
    expect(groupInWords({ type: 'AND', values: [plan, inner] })).toBe(
      'plan is “paid” and (plan is “paid” or n is more than “3”)',
    )
  })

  it('is complete when it has a key and what its operator wants', () => {
    const draft = { key: 'n', operator: 'gt' as Operator, type: 'person', values: ['5'] }
    expect(conditionOf(draft)).toEqual({ key: 'n', operator: 'gt', value: 5, type: 'person' })
    expect(conditionOf({ ...draft, values: ['five'] })).toBeUndefined()
    expect(conditionOf({ ...draft, key: '' })).toBeUndefined()
    expect(conditionOf({ ...draft, operator: 'exact', values: [] })).toBeUndefined()
    expect(conditionOf({ ...draft, operator: 'is_set', values: [] })).toEqual({
      key: 'n',
      operator: 'is_set',
      type: 'person',
    })
  })

  it('is the same after it was opened and kept', () => {
    const texts = conditions.filter(({ value, key }) => key !== '' && [value].flat().every((one) => one !== ''))
    fc.assert(
      fc.property(texts, (condition) => {
        const kept = conditionOf(draftOf(condition, 'person'))
        if (kept) expect(conditionOf(draftOf(kept, 'person'))).toEqual(kept)
      }),
    )
  })

  it('can be taken away', () => {
    const [one, two]: Condition[] = [
      { key: 'a', operator: 'is_set' },
      { key: 'b', operator: 'is_set' },
    ]
    expect(partsOf([one as Condition, two as Condition])).toEqual([
      { words: 'a is set', without: [two] },
      { words: 'b is set', without: [one] },
    ])
    expect(partsOf({ type: 'OR', values: [one as Condition] })).toEqual([{ words: 'a is set', without: [] }])
  })
})

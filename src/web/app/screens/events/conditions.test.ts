import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  asCondition,
  type Condition,
  conditionInWords,
  conditionsOf,
  withCondition,
  withoutCondition,
} from './conditions.ts'

const PLAN: Condition = { key: 'plan', value: 'paid', operator: 'exact', type: 'event' }

describe('a list of conditions', () => {
  it('is the same after its JSON', () => {
    const condition = fc.record({ key: fc.string(), value: fc.jsonValue(), operator: fc.string(), type: fc.string() })
    fc.assert(
      fc.property(fc.array(condition), (list) => {
        const json = list.length === 0 ? '' : JSON.stringify(list)
        expect(conditionsOf(json)).toEqual(JSON.parse(json || '[]'))
      }),
    )
  })
  it('takes one more, once, and gives it back', () => {
    const one = withCondition('', PLAN)
    const two = withCondition(one, { ...PLAN, value: 'free' })
    expect(conditionsOf(two)).toHaveLength(2)
    expect(withCondition(two, PLAN)).toBe(two)
    expect(withoutCondition(two, 0)).toBe(JSON.stringify([{ ...PLAN, value: 'free' }]))
    expect(withoutCondition(one, 0)).toBe('')
  })
  it('is not what a group is, which stays when one is added', () => {
    const group = '{"type":"OR","values":[{"key":"a","value":"1"}]}'
    expect(conditionsOf(group)).toBeNull()
    expect(JSON.parse(withCondition(group, PLAN))).toEqual({
      type: 'AND',
      values: [JSON.parse(group), { type: 'AND', values: [PLAN] }],
    })
    expect(conditionsOf(withCondition('{broken', PLAN))).toEqual([PLAN])
  })
})

it.each<[Condition, string]>([
  [PLAN, 'plan = paid'],
  [{ key: 'plan', value: ['paid', 'free'] }, 'plan = paid or free'],
  [{ key: 'age', value: 18, operator: 'gte', type: 'person' }, 'person’s age ≥ 18'],
  [{ key: 'email', operator: 'is_set' }, 'email is set'],
  [{ key: 'v', value: '1.2', operator: 'semver_gt' }, 'v semver gt 1.2'],
])('%j is said', (condition, words) => expect(conditionInWords(condition)).toBe(words))

it('a property becomes a condition where it can be compared', () => {
  expect(asCondition('plan', 'paid')).toEqual(PLAN)
  expect(asCondition('n', 0)).toMatchObject({ value: 0 })
  expect(asCondition('ok', false)).toMatchObject({ value: false })
  expect([asCondition('a', null), asCondition('a', []), asCondition('a', 'x'.repeat(1_001))]).toEqual([
    null,
    null,
    null,
  ])
})

import { describe, expect, it } from 'vitest'
import type { PropertyOperator } from '../../model/persons/person.ts'
import { isPropertyOperator, readFilterValue } from './property-filter-value.ts'

const NOW = Date.UTC(2024, 2, 31, 12, 0, 0)

const read = (operator: PropertyOperator, value: unknown) => readFilterValue(operator, value, NOW)

describe('values as the stores use them', () => {
  it.each<[PropertyOperator, unknown, unknown]>([
    ['exact', 'x', 'x'],
    ['exact', 1, 1],
    ['exact', false, false],
    ['exact', '', ''],
    ['is_not', ['a', 2, true], ['a', 2, true]],
    ['icontains', ['a'], ['a']],
    ['icontains_multi', ['a', 'b'], ['a', 'b']],
    ['regex', '(', '('],
    ['gt', 5, 5],
    ['gt', ' 1 000.5 ', 1000.5],
    ['lte', ['-2'], -2],
    ['is_set', undefined, null],
    ['is_set', 'is_set', null],
    ['is_not_set', null, null],
    ['is_date_exact', '2024-05-10', '2024-05-10'],
    ['is_date_after', '2024-05-10T10:00:00+02:00', '2024-05-10T08:00:00Z'],
    ['is_date_after', '2024-05-10 10:00', '2024-05-10T10:00:00Z'],
    ['is_date_before', '-7d', '2024-03-24T12:00:00Z'],
    ['is_date_before', ['-7d'], '2024-03-24T12:00:00Z'],
    ['is_date_after', '-24h', '2024-03-30T12:00:00Z'],
    ['is_date_after', '-1m', '2024-02-29T12:00:00Z'],
    ['is_date_exact', '-7d', '2024-03-24'],
    ['is_date_exact', '-36h', '2024-03-30T00:00:00Z'],
    ['semver_gt', ' 1.2.3 ', '1.2.3'],
    ['semver_gt', 17, '17'],
    ['semver_wildcard', '1.2.*', '1.2.*'],
  ])('%s %j', (operator, value, expected) => {
    expect(read(operator, value)).toEqual({ value: expected })
  })
})

describe('values that an operator cannot use', () => {
  it.each<[PropertyOperator, unknown, string]>([
    ['exact', undefined, 'needs a value'],
    ['exact', null, 'needs a value'],
    ['exact', [], 'needs a value'],
    ['regex', undefined, 'needs a value'],
    ['exact', { a: 1 }, 'value must be text'],
    ['exact', ['a', null], 'value must be text'],
    ['icontains', [['a']], 'value must be text'],
    ['gt', undefined, 'needs a value'],
    ['gt', 'many', 'needs a number'],
    ['gt', '', 'needs a number'],
    ['gt', true, 'needs a number'],
    ['gt', [1, 2], 'needs a number'],
    ['gt', '1e999', 'needs a number'],
    ['is_date_before', null, 'needs a value'],
    ['is_date_before', 'yesterday', 'needs an ISO 8601 date'],
    ['is_date_before', '2024-02-30', 'needs an ISO 8601 date'],
    ['is_date_before', '-7x', 'needs an ISO 8601 date'],
    ['is_date_before', '-9999y', 'needs an ISO 8601 date'],
    ['is_date_before', 1700000000, 'needs an ISO 8601 date'],
    ['semver_eq', 'latest', 'needs a version'],
    ['semver_eq', '1.2.*', 'needs a version'],
    ['semver_caret', undefined, 'needs a value'],
    ['semver_wildcard', '*', 'needs a version'],
  ])('%s %j', (operator, value, problem) => {
    expect(read(operator, value)).toEqual({ problem: expect.stringContaining(problem) })
  })
})

describe('operators', () => {
  it('are known by their wire name only', () => {
    expect(['exact', 'semver_caret', 'is_not_set'].map(isPropertyOperator)).toEqual([true, true, true])
    expect(['EXACT', 'toString', '', 'in'].map(isPropertyOperator)).toEqual([false, false, false, false])
  })
})

/** Any value of a property, for tests: those that a column holds, and those that it does not; and conditions on it. */
import fc from 'fast-check'
import type { PropertyCondition, PropertyOperator } from '../../../model/persons/person.ts'

export const ANY_VALUE = fc.oneof(
  fc.constantFrom(
    '',
    'a',
    'Ab',
    ' 1 ',
    '1',
    '1.0',
    'true',
    'null',
    '2026-03-01',
    '1.2.3',
    '\u{10fffe}',
    '\u{10ffff}',
    '"',
    '\\',
  ),
  fc.constantFrom(
    0,
    1,
    -1,
    0.1,
    1e21,
    1e-7,
    2 ** 53,
    -(2 ** 53) - 2,
    1e15,
    123456789.125,
    5e-324,
    1.7976931348623157e308,
  ),
  fc.string({ unit: 'binary', maxLength: 5 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
  fc.constant([1, { a: null }]),
  fc.constant({}),
  fc.constantFrom('y'.repeat(256), 'y'.repeat(257), 'é'.repeat(128), 'é'.repeat(129)),
)

type Value = PropertyCondition['value']

export const conditionOn =
  (type: 'event' | 'person') =>
  (key: string, operator: PropertyOperator, value: Value): PropertyCondition => ({ type, key, operator, value })

/** Of every kind, on `key`. */
export const conditionsOn = (type: 'event' | 'person'): PropertyCondition[] => {
  const cases: [PropertyOperator, Value][] = [
    ['exact', ['a', '1', 'true', '\u{10ffff}']],
    ['is_not', ['a']],
    ['icontains', ['A']],
    ['regex', ['^.$']],
    ['gt', ['0.5']],
    ['lte', ['1']],
    ['is_set', null],
    ['is_not_set', null],
    ['is_date_before', ['2026-04-01']],
    ['semver_gt', ['1.2.2']],
  ]
  return cases.map(([operator, value]) => conditionOn(type)('key', operator, value))
}

/**
 * What every adapter's property filters must find. `seed` stores these rows in a place of their own, each a name and
 * its properties, and returns a function that finds the names matching a filter, in the order of the rows.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import type { PropertyFilter, PropertyOperator } from '../../model/persons/person.ts'

type Properties = Record<string, unknown>
type FindNames = (filter: PropertyFilter) => Promise<string[]>
export type SeededFilterCase = (rows: Record<string, Properties>) => Promise<FindNames>
/** `short`: all filters of some rows are one question, not each a test of its own. */
export type SuiteLength = 'full' | 'short'

/** What is asked of some rows: filters by title, and the names that each must find. */
interface Asked {
  rows: Record<string, Properties>
  filters: [title: string, filter: PropertyFilter, expected: string[]][]
}

const withValue = (operator: PropertyOperator, value: unknown): PropertyFilter => ({ key: 'p', operator, value })

const KINDS = {
  text: 'Zürich',
  empty: '',
  digits: '42',
  spaced: ' 1 000 ',
  number: 42,
  fraction: 1.5,
  negative: -3,
  yes: true,
  no: false,
  null: null,
  list: ['a', 'B'],
  object: { a: 1 },
}
const ALL = [...Object.keys(KINDS), 'missing']
const allBut = (...names: string[]): string[] => ALL.filter((name) => !names.includes(name))

const ON_EVERY_KIND: [PropertyOperator, unknown, string[]][] = [
  ['exact', 'Zürich', ['text']],
  ['exact', 'zürich', []],
  ['exact', '', ['empty']],
  ['exact', '42', ['digits', 'number']],
  ['exact', 42, ['digits', 'number']],
  ['exact', '42.0', ['number']],
  ['exact', 1.5, ['fraction']],
  ['exact', '-3', ['negative']],
  ['exact', 'true', ['yes']],
  ['exact', true, ['yes']],
  ['exact', 'false', ['no']],
  ['exact', '1', []],
  ['exact', 'null', []],
  ['exact', '["a","B"]', ['list']],
  ['exact', 'a', []],
  ['exact', '{"a":1}', ['object']],
  ['exact', ['Zürich', 1.5, false, 'nobody'], ['text', 'fraction', 'no']],
  ['exact', [], []],
  ['exact', { a: 1 }, []],
  ['is_not', 'Zürich', allBut('text')],
  ['is_not', 42, allBut('digits', 'number')],
  ['is_not', ['true', '', -3], allBut('yes', 'empty', 'negative')],
  ['is_not', [], ALL],
  ['icontains', 'ZÜR', ['text']],
  ['icontains', '4', ['digits', 'number']],
  ['icontains', 'b', ['list']],
  ['icontains', 'RU', ['yes']],
  ['icontains', '%', []],
  ['icontains', '', allBut('null', 'missing')],
  ['icontains', ['rich', '.5'], ['text', 'fraction']],
  ['not_icontains', 'zür', allBut('text')],
  ['not_icontains', ['rich', '.5'], allBut('text', 'fraction')],
  ['icontains_multi', ['ZÜR', 'als'], ['text', 'no']],
  ['icontains_multi', 'ich', ['text']],
  ['not_icontains_multi', ['ZÜR', 'als'], allBut('text', 'no')],
  ['regex', '^Z.r', ['text']],
  ['regex', '(?i)^ZÜ', ['text']],
  ['regex', '^-?\\d+$', ['digits', 'number', 'negative']],
  ['regex', '^$', ['empty']],
  ['not_regex', '^Z', allBut('text')],
  ['gt', 41, ['digits', 'spaced', 'number']],
  ['gt', 42, ['spaced']],
  ['gte', 42, ['digits', 'spaced', 'number']],
  ['lt', 1.5, ['negative']],
  ['lte', '1.5', ['fraction', 'negative']],
  ['lte', ' 4 2 ', ['digits', 'number', 'fraction', 'negative']],
  ['lte', 'many', []],
  ['is_set', null, allBut('missing')],
  ['is_not_set', null, ['missing']],
  ['is_date_after', '2000-01-01', []],
  ['is_date_before', '2100-01-01', []],
  ['semver_gte', '0', ['digits', 'number', 'fraction']],
  ['semver_neq', '42.0.0', ['fraction']],
  ['semver_eq', 'latest', []],
  ['semver_neq', 'latest', []],
]

const byOperator = (scenarios: [PropertyOperator, unknown, string[]][]): Asked['filters'] =>
  scenarios.map(([operator, value, expected]) => [
    `${operator} ${JSON.stringify(value)}`,
    withValue(operator, value),
    expected,
  ])

const underP = (values: Properties): Record<string, Properties> =>
  Object.fromEntries(Object.entries(values).map(([name, p]) => [name, { p }]))

function kinds(): Asked {
  const rows = Object.fromEntries(Object.entries(KINDS).map(([name, p]) => [name, { other: 'Zürich', p }]))
  return { rows: { ...rows, missing: { other: 'Zürich' } }, filters: byOperator(ON_EVERY_KIND) }
}

const DATES = {
  day: '2024-05-10',
  morning: '2024-05-10T08:30:00Z',
  fraction: '2024-05-10T08:30:00.250Z',
  offset: '2024-05-11T01:00:00+02:00',
  last: '2024-05-10 23:59:59.999',
  next: '2024-05-11T00:00:00Z',
  seconds: 1_715_329_800,
  textSeconds: '1715329800',
  milliseconds: 1_715_329_800_000,
  age: 42,
  impossible: '2024-02-30',
  words: 'yesterday',
  bool: true,
}

function dates(): Asked {
  const thatMoment = ['morning', 'fraction', 'seconds', 'textSeconds', 'milliseconds']
  const scenarios: [PropertyOperator, string, string[]][] = [
    ['is_date_exact', '2024-05-10', ['day', 'morning', 'fraction', 'offset', 'last', ...thatMoment.slice(2)]],
    ['is_date_exact', '2024-05-10T08:30:00Z', thatMoment],
    ['is_date_exact', '2024-05-10T10:30:00.9+02:00', thatMoment],
    ['is_date_before', '2024-05-10', []],
    ['is_date_before', '2024-05-10T08:30:00Z', ['day']],
    ['is_date_before', '2024-05-10T08:30:00.1Z', ['day', 'morning', ...thatMoment.slice(2)]],
    ['is_date_after', '2024-05-10', ['next']],
    ['is_date_after', '2024-05-10T08:30:00Z', ['fraction', 'offset', 'last', 'next']],
    ['is_date_after', 'soon', []],
  ]
  return { rows: underP(DATES), filters: byOperator(scenarios) }
}

function versions(): Asked {
  const stored = [
    '0.0.3',
    '0.2.9',
    '1.2',
    'v1.2.3',
    '1.2.3-beta.1',
    '1.2.10',
    '1.3.0',
    '2.0.0+build',
    'x',
    '2024-05-01',
  ]
  const scenarios: [PropertyOperator, string, string[]][] = [
    ['semver_eq', '1.2.3', ['v1.2.3', '1.2.3-beta.1']],
    ['semver_eq', '1.2.0', ['1.2']],
    ['semver_neq', '1.2.3', ['0.0.3', '0.2.9', '1.2', '1.2.10', '1.3.0', '2.0.0+build']],
    ['semver_gt', '1.2.3', ['1.2.10', '1.3.0', '2.0.0+build']],
    ['semver_gte', 'v1.3', ['1.3.0', '2.0.0+build']],
    ['semver_lt', '1.2.0', ['0.0.3', '0.2.9']],
    ['semver_lte', '1.2.0', ['0.0.3', '0.2.9', '1.2']],
    ['semver_tilde', '1.2.3', ['v1.2.3', '1.2.3-beta.1', '1.2.10']],
    ['semver_tilde', '1', ['1.2', 'v1.2.3', '1.2.3-beta.1', '1.2.10', '1.3.0']],
    ['semver_caret', '1.2.3', ['v1.2.3', '1.2.3-beta.1', '1.2.10', '1.3.0']],
    ['semver_caret', '0.2.3', ['0.2.9']],
    ['semver_caret', '0.0.3', ['0.0.3']],
    ['semver_wildcard', '1.2.*', ['1.2', 'v1.2.3', '1.2.3-beta.1', '1.2.10']],
    ['semver_wildcard', '0.*', ['0.0.3', '0.2.9']],
    ['semver_wildcard', '*', []],
  ]
  return { rows: underP(Object.fromEntries(stored.map((p) => [p, p]))), filters: byOperator(scenarios) }
}

function trees(): Asked {
  const rows = { ann: { city: 'Bern', age: 30 }, bob: { city: 'Bern' }, cem: { city: 'Basel', age: 50 } }
  const bern: PropertyFilter = { key: 'city', operator: 'exact', value: 'Bern' }
  const old: PropertyFilter = { key: 'age', operator: 'gt', value: 40 }
  const ageless: PropertyFilter = { key: 'age', operator: 'is_not_set', value: null }
  const words = Array.from({ length: 410 }, (_, i) => `w${i}`)
  let largest: PropertyFilter = { key: 'city', operator: 'not_icontains', value: words }
  for (let depth = 0; depth < 10; depth++) {
    largest = { join: 'AND', of: [largest, ...Array.from({ length: 9 }, () => bern)] }
  }
  return {
    rows,
    filters: [
      ['AND takes what all find', { join: 'AND', of: [bern, ageless] }, ['bob']],
      ['OR takes what any finds', { join: 'OR', of: [old, bern] }, ['ann', 'bob', 'cem']],
      ['groups nest', { join: 'OR', of: [old, { join: 'AND', of: [bern, ageless] }] }, ['bob', 'cem']],
      ['OR binds no tighter than its group', { join: 'AND', of: [bern, { join: 'OR', of: [old, ageless] }] }, ['bob']],
      ['an empty AND finds everyone', { join: 'AND', of: [] }, ['ann', 'bob', 'cem']],
      ['an empty OR finds no one', { join: 'OR', of: [] }, []],
      ['the largest tree that is allowed', largest, ['ann', 'bob']],
    ],
  }
}

const LITERAL_KEYS = [
  'a.b',
  '$os',
  '"',
  'a"b',
  '\\',
  '\\u0041',
  "'",
  '[0]',
  '$.x',
  '',
  '#-1',
  'Zürich',
  '🦔',
  '\n',
  '__proto__',
  '*',
  'a/b',
  '~1',
  '~',
]

const literalKey = (key: string): Asked => ({
  rows: {
    has: Object.fromEntries([[key, 'v']]),
    nested: { a: { b: 'v' }, x: 'v', A: 'v', 0: 'v' },
    none: {},
  },
  filters: [
    [`key ${JSON.stringify(key)}`, { key, operator: 'exact', value: 'v' }, ['has']],
    [`not key ${JSON.stringify(key)}`, { key, operator: 'is_not_set', value: null }, ['nested', 'none']],
  ],
})

/** They have no plus, wherever they stand; what looks like one in a string is text. */
function exponents(): Asked {
  const rows = underP({
    number: 1e21,
    list: [1e21, -1.5e300],
    object: { a: [{ b: 1e21 }] },
    'text in a list': ['1e+21', '"', 'e+'],
    text: '1e+21',
  })
  return {
    rows,
    filters: byOperator([
      ['exact', '1e21', ['number']],
      ['exact', '[1e21,-1.5e300]', ['list']],
      ['exact', '{"a":[{"b":1e21}]}', ['object']],
      ['exact', '["1e+21","\\"","e+"]', ['text in a list']],
      ['icontains', 'e21', ['number', 'list', 'object']],
      ['icontains', 'e+', ['text in a list', 'text']],
    ]),
  }
}

/** A pattern is searched in the first 65,536 characters (code points) of a text form. */
function longTexts(): Asked {
  const seen = 65_536
  const rows = underP({
    last: `${'a'.repeat(seen - 1)}z`,
    beyond: `${'a'.repeat(seen)}z`,
    'last of two units each': `${'🦔'.repeat(seen - 1)}z`,
    'beyond of two units each': `${'🦔'.repeat(seen)}z`,
    'cut before an end': `z${'a'.repeat(seen)}`,
    'a list': ['a'.repeat(seen), 'z'],
  })
  return {
    rows,
    filters: byOperator([
      ['regex', 'z', ['last', 'last of two units each', 'cut before an end']],
      ['not_regex', 'z', ['beyond', 'beyond of two units each', 'a list']],
      ['regex', 'a$', ['beyond', 'cut before an end', 'a list']],
      ['regex', '^z', ['cut before an end']],
      ['icontains', 'Z', Object.keys(rows)],
    ]),
  }
}

const SECTIONS: Record<string, () => Asked[]> = {
  'operators on every kind of value': () => [kinds()],
  dates: () => [dates()],
  versions: () => [versions()],
  exponents: () => [exponents()],
  'patterns in long texts': () => [longTexts()],
  trees: () => [trees()],
  'keys are taken literally': () => LITERAL_KEYS.map(literalKey),
}

function askAlone(seed: SeededFilterCase, { rows, filters }: Asked): void {
  let found: FindNames
  beforeAll(async () => {
    found = await seed(rows)
  })
  it.each(filters)('%s', async (_title, filter, expected) => {
    expect(await found(filter)).toEqual(expected)
  })
}

/** Each filter has a copy of the rows, which says whose it is. */
function askTogether(seed: SeededFilterCase, asked: Asked[]): void {
  const copies: Record<string, Properties> = {}
  const expected: string[] = []
  const of: PropertyFilter[] = asked.flatMap(({ rows, filters }) =>
    filters.map(([title, filter, names]) => {
      for (const [name, properties] of Object.entries(rows)) copies[`${title}: ${name}`] = { ...properties, title }
      expected.push(...names.map((name) => `${title}: ${name}`))
      return { join: 'AND', of: [{ key: 'title', operator: 'exact', value: title }, filter] }
    }),
  )
  it('all filters in one question', async () => {
    const find = await seed(copies)
    expect(await find({ join: 'OR', of })).toEqual(expected)
  })
}

/** `isAsked`: not of filters that are refused where these rows are. */
export function propertyFilterCases(
  seed: SeededFilterCase,
  length: SuiteLength,
  isAsked = (_filter: PropertyFilter) => true,
): void {
  for (const [section, asked] of Object.entries(SECTIONS)) {
    const cases = asked().map(({ rows, filters }) => ({ rows, filters: filters.filter(([, one]) => isAsked(one)) }))
    describe(section, () => {
      if (length === 'short') return askTogether(seed, cases)
      for (const some of cases) askAlone(seed, some)
    })
  }
}

import Database from 'better-sqlite3'
import fc from 'fast-check'
import { type Generated, Kysely, SqliteDialect } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PropertyFilter, PropertyOperator } from '../../model/person.ts'
import { sqliteFilterDialect } from './filter-dialect.ts'
import { propertyFilterSql } from './property-filter.ts'
import { registerSqliteFunctions } from './sqlite-functions.ts'

interface Rows {
  people: { id: Generated<number>; name: string; properties: string }
}

const database = new Database(':memory:')
registerSqliteFunctions(database)
const db = new Kysely<Rows>({ dialect: new SqliteDialect({ database }) })

async function fill(people: Record<string, string>): Promise<void> {
  await db.deleteFrom('people').execute()
  const values = Object.entries(people).map(([name, properties]) => ({ name, properties }))
  if (values.length > 0) await db.insertInto('people').values(values).execute()
}

async function found(filter: PropertyFilter): Promise<string[]> {
  const condition = propertyFilterSql(filter, 'people.properties', sqliteFilterDialect)
  const rows = await db.selectFrom('people').select('name').where(condition).orderBy('id').execute()
  return rows.map((row) => row.name)
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

beforeAll(async () => {
  await db.schema
    .createTable('people')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('name', 'text')
    .addColumn('properties', 'text')
    .execute()
})
afterAll(() => db.destroy())

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
  ['regex', '(', []],
  ['regex', '(?=x)', []],
  ['not_regex', '^Z', allBut('text')],
  ['not_regex', '(', []],
  ['not_regex', '(?=x)', []],
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

describe('operators on every kind of value', () => {
  beforeAll(() =>
    fill({
      ...Object.fromEntries(Object.entries(KINDS).map(([name, p]) => [name, JSON.stringify({ other: 'Zürich', p })])),
      missing: '{"other":"Zürich"}',
    }),
  )

  it.each(ON_EVERY_KIND)('%s %j', async (operator, value, expected) => {
    expect(await found(withValue(operator, value))).toEqual(expected)
  })
})

describe('numbers as other programs write them', () => {
  beforeAll(() =>
    fill({ one: '{"p":1}', point: '{"p":1.0}', power: '{"p":1e0}', text: '{"p":"1.0"}', huge: '{"p":1e300}' }),
  )

  it.each<[PropertyOperator, unknown, string[]]>([
    ['exact', 1, ['one', 'point', 'power']],
    ['exact', '1.0', ['one', 'point', 'power', 'text']],
    ['exact', '9007199254740993', []],
    ['gte', 1, ['one', 'point', 'power', 'text', 'huge']],
    ['gt', 1e299, ['huge']],
  ])('%s %j', async (operator, value, expected) => {
    expect(await found(withValue(operator, value))).toEqual(expected)
  })
})

describe('dates', () => {
  beforeAll(() =>
    fill(
      Object.fromEntries(
        Object.entries({
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
        }).map(([name, p]) => [name, JSON.stringify({ p })]),
      ),
    ),
  )

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

  it.each(scenarios)('%s %s', async (operator, value, expected) => {
    expect(await found(withValue(operator, value))).toEqual(expected)
  })
})

describe('versions', () => {
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
  beforeAll(() => fill(Object.fromEntries(stored.map((p) => [p, JSON.stringify({ p })]))))

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

  it.each(scenarios)('%s %s', async (operator, value, expected) => {
    expect(await found(withValue(operator, value))).toEqual(expected)
  })
})

describe('trees', () => {
  beforeAll(() => fill({ ann: '{"city":"Bern","age":30}', bob: '{"city":"Bern"}', cem: '{"city":"Basel","age":50}' }))

  const bern: PropertyFilter = { key: 'city', operator: 'exact', value: 'Bern' }
  const old: PropertyFilter = { key: 'age', operator: 'gt', value: 40 }
  const ageless: PropertyFilter = { key: 'age', operator: 'is_not_set', value: null }

  it.each<[string, PropertyFilter, string[]]>([
    ['AND takes what all find', { join: 'AND', of: [bern, ageless] }, ['bob']],
    ['OR takes what any finds', { join: 'OR', of: [old, bern] }, ['ann', 'bob', 'cem']],
    ['groups nest', { join: 'OR', of: [old, { join: 'AND', of: [bern, ageless] }] }, ['bob', 'cem']],
    ['OR binds no tighter than its group', { join: 'AND', of: [bern, { join: 'OR', of: [old, ageless] }] }, ['bob']],
    ['an empty AND finds everyone', { join: 'AND', of: [] }, ['ann', 'bob', 'cem']],
    ['an empty OR finds no one', { join: 'OR', of: [] }, []],
  ])('%s', async (_name, filter, expected) => {
    expect(await found(filter)).toEqual(expected)
  })

  it('stands the largest tree that can be asked for', async () => {
    const words = Array.from({ length: 410 }, (_, i) => `w${i}`)
    let filter: PropertyFilter = { key: 'city', operator: 'not_icontains', value: words }
    for (let depth = 0; depth < 10; depth++) {
      filter = { join: 'AND', of: [filter, ...Array.from({ length: 9 }, () => bern)] }
    }
    expect(await found(filter)).toEqual(['ann', 'bob'])
  })
})

describe('keys and values are taken literally', () => {
  it.each([
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
  ])('key %j', async (key) => {
    await fill({
      has: JSON.stringify(Object.fromEntries([[key, 'v']])),
      nested: '{"a":{"b":"v"},"x":"v","A":"v","0":"v"}',
      none: '{}',
    })
    expect(await found({ key, operator: 'exact', value: 'v' })).toEqual(['has'])
    expect(await found({ key, operator: 'is_not_set', value: null })).toEqual(['nested', 'none'])
  })

  it('any key and any JSON value: is_set and exact find the row and only it', async () => {
    const key = fc.string({ unit: 'binary', minLength: 0, maxLength: 8 }).filter((text) => !text.includes('\0'))
    await fc.assert(
      fc.asyncProperty(key, key, async (name, other) => {
        fc.pre(name !== other)
        await fill({
          has: JSON.stringify(
            Object.fromEntries([
              [other, 'x'],
              [name, 'x'],
            ]),
          ),
          not: JSON.stringify(Object.fromEntries([[other, 'x']])),
        })
        expect(await found({ key: name, operator: 'is_set', value: null })).toEqual(['has'])
        expect(await found({ key: name, operator: 'exact', value: 'x' })).toEqual(['has'])
      }),
      { numRuns: 300 },
    )
  })

  it('binds keys and values instead of splicing them', () => {
    const hostile = "x' or 1=1 --"
    const filter: PropertyFilter = { key: hostile, operator: 'regex', value: hostile }
    const query = db
      .selectFrom('people')
      .selectAll()
      .where(propertyFilterSql(filter, 'people.properties', sqliteFilterDialect))
      .compile()
    expect(query.sql).not.toContain('or 1=1')
    expect(query.parameters).toContain(hostile)
  })
})

describe('against a plain predicate', () => {
  const textForm = (value: unknown): string | null => {
    if (value === null || value === undefined) return null
    return typeof value === 'string' ? value : JSON.stringify(value)
  }
  const isExactly = (stored: unknown, value: string | number | boolean): boolean =>
    textForm(stored) === String(value) ||
    (typeof stored === 'number' &&
      /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i.test(String(value)) &&
      stored === Number(value))

  const word = fc.string({ unit: 'grapheme', maxLength: 4 })
  const number = fc.oneof(fc.integer({ min: -20, max: 20 }), fc.double({ noNaN: true, noDefaultInfinity: true }))
  const scalar = fc.oneof(word, number, fc.boolean(), number.map(String), fc.constantFrom('1.0', '01', '1e1', 'true'))
  const stored = fc.oneof(
    { weight: 5, arbitrary: scalar },
    { weight: 1, arbitrary: fc.constantFrom(null, undefined, [], {}, [1], { a: 'b' }) },
  )

  it('exact finds exactly what it should, and is_not the rest', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(stored, { maxLength: 12 }),
        fc.array(scalar, { maxLength: 3 }),
        async (items, extra) => {
          await fill(Object.fromEntries(items.map((p, i) => [`n${i}`, JSON.stringify({ p })])))
          const picked = items.filter((item) => ['string', 'number', 'boolean'].includes(typeof item)).slice(0, 2)
          const values = [...picked, ...extra] as (string | number | boolean)[]
          const matches = (item: unknown): boolean => values.some((value) => isExactly(item, value))
          const names = (test: (item: unknown) => boolean) => items.flatMap((item, i) => (test(item) ? [`n${i}`] : []))
          expect(await found(withValue('exact', values))).toEqual(names(matches))
          expect(await found(withValue('is_not', values))).toEqual(names((item) => !matches(item)))
        },
      ),
      { numRuns: 500 },
    )
  })
})

import Database from 'better-sqlite3'
import fc from 'fast-check'
import { type Generated, Kysely, SqliteDialect } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PropertyFilter, PropertyOperator } from '../../../model/persons/person.ts'
import { withValue } from '../../contract/property-filter-cases.ts'
import { propertyFilterSql } from '../queries/property-filter.ts'
import { sqliteFilterDialect } from './filter-dialect.ts'
import { registerSqliteFunctions } from './functions.ts'

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

beforeAll(async () => {
  await db.schema
    .createTable('people')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('name', 'text')
    .addColumn('properties', 'text')
    .execute()
})
afterAll(() => db.destroy())

describe('a pattern that RE2 cannot compile', () => {
  beforeAll(() => fill({ text: '{"p":"Zürich"}', missing: '{}' }))

  it.each<[PropertyOperator, string]>([
    ['regex', '('],
    ['regex', '(?=x)'],
    ['not_regex', '('],
    ['not_regex', '(?=x)'],
  ])('%s %s matches nothing', async (operator, value) => {
    expect(await found(withValue(operator, value))).toEqual([])
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

describe('keys and values are taken literally', () => {
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

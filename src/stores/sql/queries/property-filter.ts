/**
 * A tree of property conditions as one SQL condition over a column of JSON objects. It is true or not true (it may be
 * NULL instead of false), so that it can be combined and negated freely. The meaning of each operator is in
 * ../../property-predicate.ts, the differences between engines in filter-dialect.ts.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { PropertyCondition, PropertyFilter } from '../../../model/persons/person.ts'
import { type Bound, predicateOf, type ValueTest } from '../../property-predicate.ts'
import type { FilterDialect, JsonPlace } from './filter-dialect.ts'

type Condition = RawBuilder<SqlBool>

const nothing: Condition = sql`1 = 0`
const everything: Condition = sql`1 = 1`

/** A missing key makes `condition` NULL; its opposite must hold then. */
const not = (condition: Condition): Condition => sql`(${condition}) is not true`

function joined(conditions: Condition[], join: 'AND' | 'OR'): Condition {
  if (conditions.length === 0) return join === 'AND' ? everything : nothing
  const separator = join === 'AND' ? sql` and ` : sql` or `
  return sql`(${sql.join(conditions, separator)})`
}

/** The operator is one of our own constants; only the value comes from outside. */
const within = (left: RawBuilder<unknown>, bounds: Bound<number>[]): Condition =>
  joined(
    bounds.map(({ comparison, value }): Condition => sql`${left} ${sql.raw(comparison)} ${value}`),
    'AND',
  )

function isAnyOf(words: string[], numbers: number[], place: JsonPlace, dialect: FilterDialect): Condition {
  const sameText: Condition = sql`${dialect.text(place)} in (${sql.join(words)})`
  if (numbers.length === 0) return sameText
  return joined([sameText, sql`${dialect.number(place)} in (${sql.join(numbers)})`], 'OR')
}

/** Null when the engine cannot compile one of the patterns: then neither `regex` nor `not_regex` matches anything. */
function testSql(test: ValueTest, place: JsonPlace, dialect: FilterDialect): Condition | null {
  const text = dialect.text(place)
  switch (test.kind) {
    case 'never':
      return nothing
    case 'set':
      return dialect.hasKey(place)
    case 'equal':
      return isAnyOf(test.words, test.numbers, place, dialect)
    case 'contains':
      return joined(
        test.words.map((word) => dialect.contains(text, word)),
        'OR',
      )
    case 'matches': {
      const patterns = test.patterns.map((pattern) => dialect.matches(text, pattern))
      return patterns.every((pattern) => pattern !== null) ? joined(patterns, 'OR') : null
    }
    case 'number':
      return within(dialect.numeric(place), test.bounds)
    case 'instant':
      return within(dialect.instant(text), test.bounds)
    case 'version':
      return joined(
        test.bounds.map(({ comparison, value }) =>
          within(dialect.compareVersion(text, value.join('.')), [{ comparison, value: 0 }]),
        ),
        'AND',
      )
  }
}

function conditionSql(condition: PropertyCondition, column: string, dialect: FilterDialect): Condition {
  const { test, negated } = predicateOf(condition)
  const asked = testSql(test, { column, key: condition.key }, dialect)
  if (asked === null) return nothing
  return sql`(${negated ? not(asked) : asked})`
}

/** `column` may include its table's name: `persons.properties`. */
export function propertyFilterSql(filter: PropertyFilter, column: string, dialect: FilterDialect): Condition {
  if (!('join' in filter)) return conditionSql(filter, column, dialect)
  return joined(
    filter.of.map((item) => propertyFilterSql(item, column, dialect)),
    filter.join,
  )
}

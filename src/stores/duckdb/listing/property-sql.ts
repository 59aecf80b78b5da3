/**
 * Conditions on one property as SQL over a column that holds a JSON object as text. A key is one literal key of that
 * object, whatever characters it has; keys and texts are bound. A condition is true or not true, never relied on to
 * be false. What each operator asks is said by ../../property-test.ts.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { invalid } from '../../../lib/errors.ts'
import type { Version } from '../../../lib/semver.ts'
import type { PropertyCondition } from '../../../model/person.ts'
import { type Bound, type PropertyTest, questionOf } from '../../property-test.ts'
import { double, int } from '../literal.ts'
import { Texts } from '../texts.ts'

/** The value under a key, in the forms that tests compare. */
interface Place {
  text: string
  type: string
  isSet: string
}

/** The path of one literal key, as a JSON pointer. */
const pointer = (key: string): string => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`

function placeOf(column: string, key: string, texts: Texts): Place {
  const path = texts.bind(pointer(key))
  return {
    text: `json_extract_string(${column}, ${path})`,
    type: `json_type(${column}, ${path})`,
    isSet: `json_exists(${column}, ${path})`,
  }
}

/** SQL of the text form of a property: strings as they are, all else as JSON; NULL when missing or a JSON null. */
export const textOf = (column: string, key: string, texts: Texts): string => placeOf(column, key, texts).text

/** SQL of a text that is the same whatever its case. The engine folds letter by letter, hence the `ß`. */
export const fold = (text: string): string => `replace(lower(upper(lower(${text}))), 'ß', 'ss')`

export const containsFolded = (text: string, part: string, texts: Texts): string =>
  `contains(${fold(text)}, ${fold(texts.bind(part))})`

/** No number, date or version is longer. */
const MAX_SPELT = 200

/** SQL of `expression` over a short text `t`, NULL for a longer one. Made once: each use of a text copies it again. */
const spelt = (text: string, expression: string): string =>
  `list_transform([${text}], lambda t: CASE WHEN length(t) <= ${MAX_SPELT} THEN ${expression} END)[1]`

const NUMBERS = `'BIGINT', 'UBIGINT', 'HUGEINT', 'DOUBLE'`
const DECIMAL = String.raw`^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$`

const numberOf = ({ text, type }: Place): string =>
  `CASE WHEN ${type} IN (${NUMBERS}) THEN try_cast(${text} AS DOUBLE) END`

/** Also of text that spells a number, spaces dropped. */
function numericOf({ text, type }: Place): string {
  const number = `CASE WHEN regexp_matches(t, '${DECIMAL}') AND isfinite(try_cast(t AS DOUBLE)) THEN t::DOUBLE END`
  return `CASE WHEN ${type} IN ('VARCHAR', ${NUMBERS}) THEN ${spelt(`replace(${text}, ' ', '')`, number)} END`
}

const DATE = String.raw`(\d{4}-\d{2}-\d{2})`
const TIME = String.raw`((?:[01]\d|2[0-3]):[0-5]\d)(?::([0-5]\d)(?:[.,](\d{1,9}))?)?`
const OFFSET = String.raw`(?:[Zz]|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?)?`

/** ISO 8601 as lib/time.ts reads it. */
export const ISO_DATE = String.raw`^\s*${DATE}(?:[T ]${TIME}\s*${OFFSET})?\s*$`

const ISO_PARTS = `['day', 'minute', 'second', 'fraction', 'sign', 'hours', 'minutes']`

/** Milliseconds of an ISO 8601 text, or of Unix seconds or milliseconds told by their length; else NULL. */
function instantOf(text: string): string {
  const or = (part: string, otherwise: string) => `coalesce(nullif(iso.${part}, ''), '${otherwise}')`
  const fraction = `left(rpad(iso.fraction, 6, '0'), 6)`
  const wall = `iso.day || ' ' || ${or('minute', '00:00')} || ':' || ${or('second', '00')} || '.' || ${fraction}`
  const offset = `(${or('hours', '0')}::INTEGER * 60 + ${or('minutes', '0')}::INTEGER) * 60000`
  const shifted = `epoch_us(try_cast(${wall} AS TIMESTAMP)) / 1000.0
    + ${offset} * (CASE iso.sign WHEN '-' THEN 1 WHEN '+' THEN -1 ELSE 0 END)`
  const parts = `regexp_extract(t, '${ISO_DATE}', ${ISO_PARTS})`
  const ofIso = `list_transform([${parts}], lambda iso: CASE WHEN iso.day <> '' THEN ${shifted} END)[1]`
  return spelt(
    text,
    `CASE WHEN regexp_matches(t, '^\\d{9,10}(?:\\.\\d+)?$') THEN t::DOUBLE * 1000
      WHEN regexp_matches(t, '^\\d{12,13}(?:\\.\\d+)?$') THEN t::DOUBLE ELSE ${ofIso} END`,
  )
}

const VERSION = String.raw`^\s*[vV]?\d{1,15}(?:(?:\.\d{1,15}){1,3}(?:[-+][0-9A-Za-z][0-9A-Za-z.+-]*)?)?\s*$`
const VERSION_NUMBERS = String.raw`^\s*[vV]?(\d{1,15}(?:\.\d{1,15}){0,3})`

/** Four numbers, which compare as lists do; NULL when the text is no version. */
const versionOf = (text: string): string =>
  spelt(
    text,
    `CASE WHEN regexp_matches(t, '${VERSION}')
      THEN list_resize(string_split(regexp_extract(t, '${VERSION_NUMBERS}', 1), '.')::BIGINT[], 4, 0) END`,
  )

const versionLiteral = (version: Version): string =>
  `[${[0, 1, 2, 3].map((place) => int(version[place] ?? 0)).join(', ')}]::BIGINT[]`

function within<T>(left: string, bounds: Bound<T>[], literal: (value: T) => string): string {
  return bounds.map(({ comparison, value }) => `${left} ${comparison} ${literal(value)}`).join(' AND ')
}

function equalSql(words: string[], numbers: number[], place: Place, texts: Texts): string {
  const sameText = texts.isOneOf(place.text, words)
  if (numbers.length === 0) return sameText
  return `${sameText} OR ${numberOf(place)} IN (${numbers.map(double).join(', ')})`
}

function testSql(test: PropertyTest, column: string, key: string, texts: Texts): string {
  // Before anything is bound: a statement must use all that is.
  if (test.kind === 'never') return 'false'
  const place = placeOf(column, key, texts)
  switch (test.kind) {
    case 'set':
      return place.isSet
    case 'equal':
      return equalSql(test.words, test.numbers, place, texts)
    case 'contains':
      return test.words.map((word) => containsFolded(place.text, word, texts)).join(' OR ')
    case 'matches':
      return test.patterns.map((pattern) => `regexp_matches(${place.text}, ${texts.bind(pattern)})`).join(' OR ')
    case 'number':
      return within(numericOf(place), test.bounds, double)
    case 'instant':
      return within(instantOf(place.text), test.bounds, double)
    case 'version':
      return within(versionOf(place.text), test.bounds, versionLiteral)
  }
}

export function conditionSql(condition: PropertyCondition, column: string, texts: Texts): string {
  const { test, negated } = questionOf(condition)
  const asked = testSql(test, column, condition.key, texts)
  return negated ? `((${asked}) IS NOT TRUE)` : `((${asked}) IS TRUE)`
}

/** Whether a missing value fits: what a condition says of someone who has no properties. */
export const holdsOfNothing = (condition: PropertyCondition): boolean => questionOf(condition).negated

/** Refuses patterns that the engine cannot read; it says why. */
export async function checkPatterns(connection: DuckDBConnection, conditions: PropertyCondition[]): Promise<void> {
  const tests = conditions.map((condition) => questionOf(condition).test)
  const patterns = tests.flatMap((test) => (test.kind === 'matches' ? test.patterns : []))
  for (const pattern of new Set(patterns)) {
    const texts = new Texts()
    const sql = `SELECT regexp_matches('', ${texts.bind(pattern)})`
    await texts.rows(connection, sql).catch((cause: Error) => {
      const reason = cause.message.replace(/^[\w ]*Error: /, '').slice(0, 200)
      throw invalid(`A pattern cannot be read: ${reason}`, 'properties')
    })
  }
}

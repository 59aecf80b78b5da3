/**
 * Conditions on properties as SQL over a column that holds a JSON object as text. A key is one literal key of that
 * object, whatever characters it has; keys and texts are bound. The meaning of each operator is in
 * ../../property-predicate.ts.
 *
 * Parsing JSON takes the engine five times the memory of its text, for 2,048 rows at once and for each function and
 * thread. So all keys are read by one function, and by one thread (see singleThreaded) unless the memory is known to be
 * enough for all (see Database.parsesInParallel).
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { invalid } from '../../../lib/errors.ts'
import { cutText } from '../../../lib/text/code-points.ts'
import type { Version } from '../../../lib/text/semver.ts'
import type { PropertyCondition, PropertyFilter } from '../../../model/persons/person.ts'
import {
  filterSql,
  ISO_DATE,
  leavesOf,
  MAX_LISTED_TEXT,
  patternsOf,
  VERSION_NUMBERS_PATTERN,
  VERSION_PATTERN,
  withoutPatterns,
} from '../../property-filter.ts'
import { type Bound, PATTERN_MAX_CHARS, predicateOf, type ValueTest } from '../../property-predicate.ts'
import { Texts } from '../values/bound-texts.ts'
import { double, int } from '../values/literal.ts'
import { jsonValue, type PropertyValue } from './property-value.ts'

/**
 * SQL of the same rows, read by one thread, with each column computed once: a limit that never applies keeps the engine
 * from parallelizing the work and from computing a column again wherever it is used.
 */
export const singleThreaded = (select: string): string => `(${select} LIMIT ${Number.MAX_SAFE_INTEGER})`

/** SQL of the same rows as a table, read by all threads or by one. */
export const tableOf = (select: string, byAllThreads: boolean): string =>
  byAllThreads ? `(${select})` : singleThreaded(select)

/**
 * SQL of the same value, computed once for each row by whichever threads read them. Otherwise the engine computes it
 * again wherever it is used in a condition; not so what might be different the second time.
 */
export const computedOnce = (value: string): string => `CASE WHEN random() < 2 THEN ${value} END`

/** The path of one literal key, as a JSON pointer. */
export const jsonPointer = (key: string): string => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`

/** SQL of the case-folded text. The engine folds letter by letter, hence the `ß`; most texts are ASCII, a byte for each. */
const fold = (text: string): string =>
  `CASE WHEN strlen(${text}) = length(${text}) THEN lower(${text})
    ELSE replace(lower(upper(lower(${text}))), 'ß', 'ss') END`

export const containsFolded = (text: string, part: string, texts: Texts): string =>
  `contains(${fold(text)}, ${fold(texts.bind(part))})`

/** The text is folded once for all parts: to plan its folding anew for hundreds of them takes seconds. */
function containsAnyFolded(text: string, parts: string[], texts: Texts): string {
  if (parts.length === 1) return containsFolded(text, parts[0] as string, texts)
  const any = parts.map((part) => `contains(folded, ${fold(texts.bind(part))})`).join(' OR ')
  return `list_transform([${fold(text)}], lambda folded: ${any})[1]`
}

/** The part of the text form that a pattern is matched against. */
const patternText = ({ text }: PropertyValue): string => `left(${text}, ${PATTERN_MAX_CHARS})`

const ISO_PARTS = `['day', 'minute', 'second', 'fraction', 'sign', 'hours', 'minutes']`
const UNIX_SECONDS = String.raw`^\d{9,10}(?:\.\d+)?$`
const UNIX_MILLISECONDS = String.raw`^\d{12,13}(?:\.\d+)?$`

/** Milliseconds of an ISO 8601 text, or of Unix seconds or milliseconds, distinguished by their length; else NULL. */
function instantOf({ onShortText }: PropertyValue): string {
  const or = (part: string, otherwise: string) => `coalesce(nullif(iso.${part}, ''), '${otherwise}')`
  const fraction = `left(rpad(iso.fraction, 6, '0'), 6)`
  const wall = `iso.day || ' ' || ${or('minute', '00:00')} || ':' || ${or('second', '00')} || '.' || ${fraction}`
  const offset = `(${or('hours', '0')}::INTEGER * 60 + ${or('minutes', '0')}::INTEGER) * 60000`
  const shifted = `epoch_us(try_cast(${wall} AS TIMESTAMP)) / 1000.0
    + ${offset} * (CASE iso.sign WHEN '-' THEN 1 WHEN '+' THEN -1 ELSE 0 END)`
  const ofIso = (text: string) => {
    const parts = `regexp_extract(${text}, '${ISO_DATE}', ${ISO_PARTS})`
    return `list_transform([${parts}], lambda iso: CASE WHEN iso.day <> '' THEN ${shifted} END)[1]`
  }
  return onShortText(
    (text) => `CASE WHEN regexp_matches(${text}, '${UNIX_SECONDS}') THEN ${text}::DOUBLE * 1000
      WHEN regexp_matches(${text}, '${UNIX_MILLISECONDS}') THEN ${text}::DOUBLE ELSE ${ofIso(text)} END`,
  )
}

/** Four numbers, which compare as lists do; NULL when the text is not a version. */
const versionOf = ({ onShortText }: PropertyValue): string =>
  onShortText(
    (text) => `CASE WHEN regexp_matches(${text}, '${VERSION_PATTERN}')
      THEN list_resize(string_split(regexp_extract(${text}, '${VERSION_NUMBERS_PATTERN}', 1), '.')::BIGINT[], 4, 0) END`,
  )

const versionLiteral = (version: Version): string =>
  `[${[0, 1, 2, 3].map((place) => int(version[place] ?? 0)).join(', ')}]::BIGINT[]`

function within<T>(left: string, bounds: Bound<T>[], literal: (value: T) => string): string {
  return bounds.map(({ comparison, value }) => `${left} ${comparison} ${literal(value)}`).join(' AND ')
}

function equalSql(words: string[], numbers: number[], value: PropertyValue, texts: Texts): string {
  const [word = '', ...others] = words
  const sameText =
    others.length === 0 ? `${value.text} = ${texts.bind(word)}` : `list_contains(${texts.list(words)}, ${value.text})`
  if (numbers.length === 0) return sameText
  return `${sameText} OR ${value.number} IN (${numbers.map(double).join(', ')})`
}

function testSql(test: ValueTest, value: PropertyValue, texts: Texts): string {
  switch (test.kind) {
    case 'never':
      return 'false'
    case 'set':
      return value.isSet
    case 'equal':
      return equalSql(test.words, test.numbers, value, texts)
    case 'contains':
      return value.onText((text) => containsAnyFolded(text, test.words, texts))
    case 'matches':
      return test.patterns
        .map((pattern) => `regexp_matches(${patternText(value)}, ${texts.bind(pattern)})`)
        .join(' OR ')
    case 'number':
      return within(value.numeric, test.bounds, double)
    case 'instant':
      return within(value.instant ?? instantOf(value), test.bounds, double)
    case 'version':
      return within(versionOf(value), test.bounds, versionLiteral)
  }
}

/** SQL of one condition on the value under its key: true or false, never NULL. */
function conditionSql(condition: PropertyCondition, value: PropertyValue, texts: Texts): string {
  const { test, negated } = predicateOf(condition)
  return `(${testSql(test, value, texts)}) IS ${negated ? 'NOT TRUE' : 'TRUE'}`
}

/** SQL of what `write` makes of the values under these keys of the JSON object in `column`, read at once. */
function ofValues(
  keys: string[],
  column: string,
  texts: Texts,
  write: (under: (key: string) => PropertyValue) => string,
) {
  const unique = [...new Set(keys)]
  const values = `json_extract(${column}, ${texts.list(unique.map(jsonPointer))})`
  return `list_transform([${values}], lambda v: ${write((key) => jsonValue(`v[${unique.indexOf(key) + 1}]`))})[1]`
}

/** SQL of whether these values satisfy the filter: true or false, never NULL. */
export const valuesSatisfy = (filter: PropertyFilter, under: (key: string) => PropertyValue, texts: Texts): string =>
  filterSql(filter, (condition) => conditionSql(condition, under(condition.key), texts))

/** SQL of whether the JSON object in `column` satisfies the filter: true or false, never NULL. */
export function satisfiesSql(filter: PropertyFilter, column: string, texts: Texts): string {
  const keys = leavesOf(filter).map(({ key }) => key)
  if (keys.length === 0) return filterSql(filter, () => 'false')
  return ofValues(keys, column, texts, (under) => valuesSatisfy(filter, under, texts))
}

/** What to read of a JSON object: the results of conditions, and the number and the text under two keys. */
export interface Wanted {
  conditions: PropertyCondition[]
  number?: string | undefined
  text?: string | undefined
}

/** SQL of the text under a key as it is listed: booleans are `1` and `0`; NULL when there is none. */
export function listedSql(key: string, column: string, texts: Texts): string {
  const pointer = texts.bind(jsonPointer(key))
  // Few values are those words, so that the type of few is read.
  const listed = `CASE WHEN t IN ('true', 'false') AND json_type(${column}, ${pointer}) = 'BOOLEAN'
    THEN (CASE t WHEN 'true' THEN '1' ELSE '0' END) ELSE t END`
  return `list_transform([json_extract_string(${column}, ${pointer})], lambda t: ${listed})[1]`
}

/** SQL of what is wanted, given each value: the result of each condition, true or false and never NULL; and the others. */
export function factsSql({ conditions, number, text }: Wanted, under: (key: string) => PropertyValue, texts: Texts) {
  return {
    fits: conditions.map((condition) => conditionSql(condition, under(condition.key), texts)),
    ...(number === undefined ? {} : { number: under(number).numeric }),
    ...(text === undefined ? {} : { text: `nullif(left(${under(text).text}, ${MAX_LISTED_TEXT}), '')` }),
  }
}

export const keysOf = ({ conditions, number, text }: Wanted): string[] => [
  ...new Set([...conditions.map(({ key }) => key), ...[number, text].filter((key) => key !== undefined)]),
]

/**
 * SQL of a struct of what is wanted, given each value: `fits` is a list with the result of each condition, true or false
 * and never NULL; `number` and `text` are NULL where there is none, `text` also where it is empty.
 */
export function factsStruct(wanted: Wanted, under: (key: string) => PropertyValue, texts: Texts): string {
  const { fits, ...others } = factsSql(wanted, under, texts)
  const fields = [
    `'fits': [${fits.join(', ')}]::BOOLEAN[]`,
    ...Object.entries(others).map(([name, sql]) => `'${name}': ${sql}`),
  ]
  return `{${fields.join(', ')}}`
}

/** SQL of such a struct over the JSON object in `column`. */
export const propertyValuesSql = (wanted: Wanted, column: string, texts: Texts): string =>
  ofValues(keysOf(wanted), column, texts, (under) => factsStruct(wanted, under, texts))

/** SQL of a list with the result of each condition on the JSON object in `column`: true or false, never NULL. */
export const matchesSql = (conditions: PropertyCondition[], column: string, texts: Texts): string =>
  `(${propertyValuesSql({ conditions }, column, texts)}).fits`

const INVALID = /^Invalid Input Error/

/** Why the engine cannot compile the pattern; null: it can. */
async function faultOf(connection: DuckDBConnection, pattern: string): Promise<string | null> {
  const texts = new Texts()
  const sql = `SELECT regexp_matches('', ${texts.bind(pattern)})`
  try {
    await texts.rows(connection, sql)
    return null
  } catch (cause) {
    const { message } = cause as Error
    if (!INVALID.test(message)) throw cause
    return cutText(message.replace(/^[\w ]*Error: /, ''), 200)
  }
}

/** Refuses patterns that the engine cannot compile, with its message about the first; that also ends a transaction. */
export async function checkPatterns(connection: DuckDBConnection, conditions: PropertyCondition[]): Promise<void> {
  for (const pattern of new Set(conditions.flatMap(patternsOf))) {
    const fault = await faultOf(connection, pattern)
    if (fault !== null) throw invalid(`A pattern cannot be read: ${fault}`, 'properties')
  }
}

/** The filter in which a condition with a pattern that the engine cannot compile never holds, negated or not. */
export async function withoutBrokenPatterns(
  connection: DuckDBConnection,
  filter: PropertyFilter,
): Promise<PropertyFilter> {
  const broken = new Set<string>()
  for (const pattern of new Set(leavesOf(filter).flatMap(patternsOf))) {
    if ((await faultOf(connection, pattern)) !== null) broken.add(pattern)
  }
  return withoutPatterns(filter, broken)
}

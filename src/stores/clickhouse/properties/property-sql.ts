/**
 * Conditions on properties as SQL over the lists that hold them (values/property-arrays.ts). The meaning of each operator is
 * in ../../property-predicate.ts. Every condition is 1 or 0, never NULL.
 */
import { invalid } from '../../../lib/errors.ts'
import { cutText } from '../../../lib/text/code-points.ts'
import type { Version } from '../../../lib/text/semver.ts'
import type { PropertyCondition, PropertyFilter } from '../../../model/persons/person.ts'
import {
  filterSql,
  leavesOf,
  MAX_LISTED_TEXT,
  MAX_SHORT_TEXT,
  patternsOf,
  VERSION_NUMBERS_PATTERN,
  VERSION_PATTERN,
  withoutPatterns,
} from '../../property-filter.ts'
import { type Bound, PATTERN_MAX_CHARS, predicateOf, type ValueTest } from '../../property-predicate.ts'
import type { Reading } from '../parts.ts'
import { CODES, codeOf } from '../server/failures.ts'
import { foldedPattern } from '../values/folded-pattern.ts'
import { double, int, isOneOf, text as textLiteral } from '../values/literal.ts'
import { STRING_MARK } from '../values/property-arrays.ts'
import {
  type ColumnsByKey,
  listedInstant,
  listedNumber,
  listedValue,
  numberColumn,
  valueColumn,
} from './property-columns.ts'

/** SQL of what can be asked of one value. */
export interface PropertyValue {
  /** As it is stored; empty when the key is not there. */
  value: string
  /** Whether the key is there, possibly with a null. */
  isSet: string
  /** Whether there is a value that is not null. */
  hasText: string
  /** The text form: strings as they are, all else as JSON. Only where `hasText`. */
  text: string
  /** Whether it is a JSON number. */
  isNumber: string
  /** The number, also of text that contains one; NaN: none. */
  number: string
  /** In milliseconds; NaN: none. */
  instant: string
}

/** SQL of whether a value is a JSON number. */
export const isNumberSql = (value: string): string =>
  `substring(${value}, 1, 1) IN ('-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9')`

const hasTextSql = (value: string): string => `${value} NOT IN ('', 'null')`
const textSql = (value: string): string => `if(substring(${value}, 1, 1) = '"', substring(${value}, 2), ${value})`

/** SQL of the value under a literal key, in the table that has these columns. */
export function valueUnder(key: string, columns: ColumnsByKey): PropertyValue {
  const column = columns.get(key)
  const value = column ? valueColumn(key) : listedValue(key)
  return {
    value,
    isSet: column ? `${value} != ''` : `has(keys, ${textLiteral(key)})`,
    hasText: hasTextSql(value),
    text: textSql(value),
    isNumber: isNumberSql(value),
    number: column?.hasNumber ? numberColumn(key) : listedNumber(key),
    instant: listedInstant(key),
  }
}

/** Any at all, as a pattern. */
const CHARACTER = '[\\x00-\\x{10FFFF}]'
/** Where a pattern repeats hundreds of times, RE2 takes seconds for a few texts. */
const MOST_REPEATED = 64
const MAX_BYTES_OF_CHARACTER = 4

/**
 * SQL of at most this many characters (code points) of a text, put together from pieces of equal size: to substringUTF8 of
 * the oldest server a character of four bytes is four characters. Both sides of `if` are computed for every row.
 */
export function cutSql(text: string, characters: number): string {
  let size = MOST_REPEATED
  while (characters % size > 0) size--
  const isLong = `length(${text}) > ${characters}`
  const start = `if(${isLong}, substring(${text}, 1, ${characters * MAX_BYTES_OF_CHARACTER}), '')`
  const pieces = `extractAll(${start}, ${textLiteral(`${CHARACTER}{1,${size}}`)})`
  return `if(${isLong}, arrayStringConcat(arraySlice(${pieces}, 1, ${characters / size})), ${text})`
}

/**
 * SQL of whether RE2 finds the pattern. The second branch matches nothing: without it the oldest server takes some patterns
 * for plain texts and their flags for nothing. There a point would match a line break.
 */
export const patternSql = (text: string, pattern: string): string =>
  `match(${text}, ${textLiteral(`(?:(?-s)${pattern})|[^\\x00-\\x{10FFFF}]`)})`

/** The compiled pattern of a longer one may be too large for the engine. */
const MAX_PATTERN = 20_000

/** SQL of whether the text contains one of these, whatever the case of either: a few conditions, however many there are. */
function containsAnyFolded(text: string, parts: string[]): string {
  if (parts.includes('')) return '1'
  const patterns: string[] = []
  for (const part of parts) {
    const pattern = foldedPattern(part)
    const last = patterns.at(-1)
    if (last === undefined || last.length + pattern.length > MAX_PATTERN) patterns.push(pattern)
    else patterns[patterns.length - 1] = `${last}|${pattern}`
  }
  return patterns.length === 0 ? '0' : `(${patterns.map((pattern) => patternSql(text, pattern)).join(' OR ')})`
}

/** SQL of whether the text contains this one, whatever the case of either. */
export const containsFolded = (text: string, part: string): string => containsAnyFolded(text, [part])

const versionLiteral = (version: Version): string =>
  `(${[0, 1, 2, 3].map((place) => int(version[place] ?? 0)).join(', ')})`

/** SQL of four numbers, which compare one after the other; only of a text that is a version. */
function versionOf(text: string): string {
  const numbers = `splitByChar('.', extract(${text}, ${textLiteral(VERSION_NUMBERS_PATTERN)}))`
  return `(${[1, 2, 3, 4].map((place) => `toInt64OrZero(${numbers}[${place}])`).join(', ')})`
}

const within = <T>(left: string, bounds: Bound<T>[], literal: (value: T) => string): string =>
  bounds.map(({ comparison, value }) => `${left} ${comparison} ${literal(value)}`).join(' AND ')

/** What a value may be whose text form is this: a string, or the JSON of anything else but null. */
const storedForms = (word: string): string[] =>
  word === '' || word === 'null' || word.startsWith(STRING_MARK) ? [STRING_MARK + word] : [STRING_MARK + word, word]

function equalSql(words: string[], numbers: number[], { value, isNumber, number }: PropertyValue): string {
  const sameText = isOneOf(value, words.flatMap(storedForms), textLiteral)
  if (numbers.length === 0) return sameText
  const sameNumber = numbers.map((one) => `${number} = ${double(one)}`).join(' OR ')
  return `(${sameText} OR (${isNumber} AND (${sameNumber})))`
}

function testSql(test: ValueTest, value: PropertyValue): string {
  const { hasText, text, number, instant } = value
  const anyOf = (tests: string[]) => `${hasText} AND (${tests.join(' OR ')})`
  switch (test.kind) {
    case 'never':
      return '0'
    case 'set':
      return value.isSet
    case 'equal':
      return equalSql(test.words, test.numbers, value)
    case 'contains':
      return `${hasText} AND ${containsAnyFolded(text, test.words)}`
    case 'matches':
      return anyOf(test.patterns.map((pattern) => patternSql(cutSql(text, PATTERN_MAX_CHARS), pattern)))
    case 'number':
      return `NOT isNaN(${number}) AND ${within(number, test.bounds, double)}`
    case 'instant':
      return `NOT isNaN(${instant}) AND ${within(instant, test.bounds, double)}`
    case 'version': {
      const isVersion = `${hasText} AND length(${text}) <= ${MAX_SHORT_TEXT} AND match(${text}, ${textLiteral(VERSION_PATTERN)})`
      return `${isVersion} AND ${within(versionOf(text), test.bounds, versionLiteral)}`
    }
  }
}

/**
 * SQL of one condition on this value: 1 or 0. Negated not by NOT: the oldest server passes it on to other nodes without
 * brackets, where it would negate all that it stands before, or nothing.
 */
export function valueSatisfies(condition: PropertyCondition, value: PropertyValue): string {
  const { test, negated } = predicateOf(condition)
  const holds = `(${testSql(test, value)})`
  return negated ? `(${holds} = 0)` : holds
}

/** SQL of one condition: 1 or 0. */
export const conditionSql = (condition: PropertyCondition, columns: ColumnsByKey): string =>
  valueSatisfies(condition, valueUnder(condition.key, columns))

/** SQL of whether the properties of a row satisfy the filter, whoever's they are. */
export const satisfiesSql = (filter: PropertyFilter, columns: ColumnsByKey): string =>
  filterSql(filter, (condition) => conditionSql(condition, columns))

/** SQL of the text of a stored value as a breakdown has it: cut when long, empty when there is none. */
export const breakdownTextOf = (value: string): string =>
  `if(${hasTextSql(value)}, ${cutSql(textSql(value), MAX_LISTED_TEXT)}, '')`

/** The same of the value under a key. */
export const breakdownText = (key: string, columns: ColumnsByKey): string =>
  breakdownTextOf(valueUnder(key, columns).value)

/** SQL of the text under a key as it is listed: booleans are `1` and `0`; empty when there is none. */
export function listedText(key: string, columns: ColumnsByKey): string {
  const { value, hasText, text } = valueUnder(key, columns)
  return `multiIf(${value} = 'true', '1', ${value} = 'false', '0', ${hasText}, ${text}, '')`
}

const MAX_FAULT = 200

/** Why the engine cannot compile the pattern; null: it can. */
async function faultOf({ rows }: Reading, pattern: string): Promise<string | null> {
  try {
    await rows(`SELECT match('', ${textLiteral(pattern)})`)
    return null
  } catch (cause) {
    if (codeOf(cause) !== CODES.cannotCompilePattern) throw cause
    const words = /error: (.*?)\. Look at /s.exec((cause as Error).message)?.[1] ?? (cause as Error).message
    return cutText(words, MAX_FAULT)
  }
}

/** Refuses patterns that the engine cannot compile, with its message about the first. */
export async function checkPatterns(reading: Reading, conditions: PropertyCondition[]): Promise<void> {
  for (const pattern of new Set(conditions.flatMap(patternsOf))) {
    const fault = await faultOf(reading, pattern)
    if (fault !== null) throw invalid(`A pattern cannot be read: ${fault}`, 'properties')
  }
}

/** The filter in which a condition with a pattern that the engine cannot compile never holds, negated or not. */
export async function withoutBrokenPatterns(reading: Reading, filter: PropertyFilter): Promise<PropertyFilter> {
  const broken = new Set<string>()
  for (const pattern of new Set(leavesOf(filter).flatMap(patternsOf))) {
    if ((await faultOf(reading, pattern)) !== null) broken.add(pattern)
  }
  return withoutPatterns(filter, broken)
}

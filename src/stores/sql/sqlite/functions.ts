/**
 * The functions that our SQL needs and SQLite lacks, registered on each connection before its first
 * statement. All are deterministic, give NULL for NULL, and do not fail: text that they cannot read is NULL.
 *
 *   fold(text)                Unicode case folding
 *   re2_match(text, pattern)  1 or 0: RE2 search; NULL when the pattern is invalid
 *   numeric_of(text)          the number that the text spells, spaces dropped
 *   date_ms(text)             ms since the epoch of an ISO 8601 text, or of Unix seconds or milliseconds
 *   semver_cmp(text, version) -1, 0 or 1
 */
import { createRequire } from 'node:module'
import type Database from 'better-sqlite3'
import type { RE2JS } from 're2js'
import { foldCase } from '../../../lib/text/case-fold.ts'
import { readNumeric } from '../../../lib/text/numeric.ts'
import { compareVersions, readVersion } from '../../../lib/text/semver.ts'
import { readInstant, SECOND } from '../../../lib/time/time.ts'

/** Loaded with the first pattern: its Unicode tables would waste memory in a server that uses none. */
const loadRe2 = (): typeof import('re2js') => createRequire(import.meta.url)('re2js')

/** A query has a few patterns; compiling one per row would cost more than matching it. */
const MAX_PATTERNS = 100
const patterns = new Map<string, RE2JS | null>()

function compile(pattern: string): RE2JS | null {
  try {
    return loadRe2().RE2JS.compile(pattern)
  } catch {
    // RE2 cannot compile it. By contract that means no match, not a failure.
    return null
  }
}

/** Null when RE2 cannot compile the pattern. */
export function compiledPattern(pattern: string): RE2JS | null {
  const known = patterns.get(pattern)
  if (known !== undefined) return known
  const compiled = compile(pattern)
  if (patterns.size >= MAX_PATTERNS) patterns.delete(patterns.keys().next().value as string)
  patterns.set(pattern, compiled)
  return compiled
}

const UNIX_SECONDS = /^\d{9,10}(?:\.\d+)?$/
const UNIX_MILLISECONDS = /^\d{12,13}(?:\.\d+)?$/

/**
 * Unix times are recognized by their length, as 9 to 10 and 12 to 13 digits cover 1973 to 2286; other numbers are not
 * dates.
 */
function instantOf(text: string): number | null {
  if (UNIX_SECONDS.test(text)) return Number(text) * SECOND
  if (UNIX_MILLISECONDS.test(text)) return Number(text)
  return readInstant(text)
}

function compareToVersion(text: string, version: string): number | null {
  const [left, right] = [readVersion(text), readVersion(version)]
  return left && right && compareVersions(left, right)
}

function matchPattern(text: string, pattern: string): number | null {
  const compiled = compiledPattern(pattern)
  return compiled && Number(compiled.test(text))
}

const isText = (value: unknown): value is string => typeof value === 'string'

const ofText =
  (fn: (text: string) => string | number | null) =>
  (text: unknown): string | number | null =>
    isText(text) ? fn(text) : null

const ofTwoTexts =
  (fn: (first: string, second: string) => number | null) =>
  (first: unknown, second: unknown): number | null =>
    isText(first) && isText(second) ? fn(first, second) : null

/** `check` is called before each call of a function that may take long; an error it throws ends the statement. */
export function registerSqliteFunctions(database: Database.Database, check: () => void = () => {}): void {
  const options = { deterministic: true }
  // Written out: SQLite uses the number of parameters a function declares.
  const fold = ofText(foldCase)
  const match = ofTwoTexts(matchPattern)
  database.function('fold', options, (text: unknown) => {
    check()
    return fold(text)
  })
  database.function('numeric_of', options, ofText(readNumeric))
  database.function('date_ms', options, ofText(instantOf))
  database.function('re2_match', options, (text: unknown, pattern: unknown) => {
    check()
    return match(text, pattern)
  })
  database.function('semver_cmp', options, ofTwoTexts(compareToVersion))
}

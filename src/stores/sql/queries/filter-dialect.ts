/**
 * What a property filter asks of an SQL engine, by name. Columns hold one JSON object as text; a key is
 * always one literal key of that object, whatever characters it has, and never a path into it. Keys and
 * values are bound, never spliced.
 */
import type { Expression, RawBuilder, SqlBool } from 'kysely'

/** Where the value is: a column with a JSON object, and a key of it. */
export interface JsonPlace {
  column: string
  key: string
}

export interface FilterDialect {
  /** True also when the value is a JSON null. */
  hasKey(place: JsonPlace): RawBuilder<SqlBool>
  /** Strings as they are, everything else as JSON writes it; NULL when missing or a JSON null. */
  text(place: JsonPlace): RawBuilder<string | null>
  /** The value when it is a JSON number, else NULL. */
  number(place: JsonPlace): RawBuilder<number | null>
  /** As number, but also of a string that spells one (lib/text/numeric.ts). */
  numeric(place: JsonPlace): RawBuilder<number | null>
  /** Whether `text` contains `part`, whatever the case, in all of Unicode. NULL for NULL. */
  contains(text: Expression<string | null>, part: string): RawBuilder<SqlBool>
  /** RE2 search in the first PATTERN_MAX_CHARS characters (../../property-predicate.ts); null when the pattern is invalid. */
  matches(text: Expression<string | null>, pattern: string): RawBuilder<SqlBool> | null
  /** Milliseconds since the epoch, NULL when the text is no date. */
  instant(text: Expression<string | null>): RawBuilder<number | null>
  /** -1, 0 or 1; NULL when the text is no version. */
  compareVersion(text: Expression<string | null>, version: string): RawBuilder<number | null>
}

/** The search of lists: every word must be in one of the columns, whatever the case. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Connection } from '../connection.ts'

/** True for all rows when there are no words; columns that are NULL contain nothing. */
export function containsWords({ dialect }: Connection, columns: string[], words: string[]): RawBuilder<SqlBool> {
  const inOne = (word: string): RawBuilder<SqlBool> => {
    const places = columns.map((column) => dialect.contains(sql.ref<string | null>(column), word))
    return sql<SqlBool>`(${sql.join(places, sql` or `)})`
  }
  return words.length === 0 ? sql<SqlBool>`1 = 1` : sql<SqlBool>`(${sql.join(words.map(inOne), sql` and `)})`
}

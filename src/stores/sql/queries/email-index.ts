/**
 * Persons by their e-mail. The index holds its first characters only, as an engine may refuse longer keys, and those
 * persons only that have one: so no list without this condition can be answered from it, with or without statistics.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { SqlDialect } from '../dialect.ts'

const INDEXED_CHARACTERS = 200

const start = (text: RawBuilder<unknown>): RawBuilder<string | null> =>
  sql`substr(${text}, 1, ${sql.lit(INDEXED_CHARACTERS)})`

export const indexedEmail = ({ email }: SqlDialect): RawBuilder<string | null> => start(email)

export function hasEmail(dialect: SqlDialect, email: string): RawBuilder<SqlBool> {
  const indexed = indexedEmail(dialect)
  const found = sql<SqlBool>`${indexed} = ${start(sql.val(email))} and ${indexed} is not null`
  // A short one is in the index as a whole.
  return email.length < INDEXED_CHARACTERS ? found : sql<SqlBool>`${found} and ${dialect.email} = ${email}`
}

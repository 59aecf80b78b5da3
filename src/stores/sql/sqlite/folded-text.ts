/** Comparing texts whatever their case. Needs the functions of functions.ts on the connection. */
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { foldCase } from '../../../lib/text/case-fold.ts'

export const folded = (text: Expression<string | null>): RawBuilder<string | null> => sql`fold(${text})`

export const containsFolded = (text: Expression<string | null>, part: string): RawBuilder<SqlBool> =>
  sql`instr(${folded(text)}, ${foldCase(part)}) > 0`

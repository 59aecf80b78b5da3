/**
 * The function that our SQL needs and SQLite lacks, registered on each connection before its first statement. It is
 * deterministic and does not fail: what is no text is NULL.
 *
 *   fold(text)  Unicode case folding
 */
import type Database from 'better-sqlite3'
import { foldCase } from '../../../lib/text/case-fold.ts'

/** `check` is called before each text, which may be long; an error it throws ends the statement. */
export function registerSqliteFunctions(database: Database.Database, check: () => void = () => {}): void {
  // Written out: SQLite uses the number of parameters a function declares.
  database.function('fold', { deterministic: true }, (text: unknown) => {
    check()
    return typeof text === 'string' ? foldCase(text) : null
  })
}

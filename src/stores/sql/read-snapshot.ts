/**
 * One look at the database for all reads of one turn of the event loop. SQLite takes and gives back its locks for
 * every statement by itself (six system calls, as long as a look-up by key); under load many reads share a turn.
 * The look ends with the turn, and at once when this process commits, so that whoever wrote reads what it wrote.
 */
import type Database from 'better-sqlite3'

export interface ReadSnapshot {
  /** Call before each read. */
  begin(): void
  /** The next read looks anew. */
  end(): void
}

export function createReadSnapshot(database: Database.Database): ReadSnapshot {
  const beginStatement = database.prepare('begin')
  const endStatement = database.prepare('commit')
  let timer: NodeJS.Immediate | null = null
  const end = (): void => {
    if (timer === null) return
    clearImmediate(timer)
    timer = null
    // A failed statement may have ended the transaction by itself.
    if (database.inTransaction) endStatement.run()
  }
  return {
    begin() {
      if (timer !== null && database.inTransaction) return
      end()
      beginStatement.run()
      timer = setImmediate(end)
    },
    end,
  }
}

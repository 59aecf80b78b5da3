/** Takes from a data folder what this version has added, so that it is as the version before left it. */
import { join } from 'node:path'
import Database from 'better-sqlite3'

export function forgetClock(dataDir: string): void {
  const db = new Database(join(dataDir, 'hedgerow.db'))
  db.exec(`drop table clock_state; drop table installation;
    delete from schema_migrations where name = '0012-clock-and-installation'`)
  db.close()
}

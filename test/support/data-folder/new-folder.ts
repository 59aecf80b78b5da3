/** A data folder with empty stores, as the first start leaves it before it writes anything. */
import { randomUUID } from 'node:crypto'
import { copyFileSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { inject } from 'vitest'
import { STORE_NAMES } from '../../../src/stores/data-folder.ts'

const copyInto = (folder: string, name: string) => copyFileSync(join(inject('emptyStores'), name), join(folder, name))

/** As if its tables had been made in it. */
function giveId(file: string): void {
  const database = new Database(file)
  database.prepare('UPDATE installation SET id = ?').run(randomUUID())
  database.close()
}

/** With those stores that are not elsewhere. */
export function newDataFolder({ hasSql, hasEvents }: { hasSql: boolean; hasEvents: boolean }): string {
  const folder = mkdtempSync(join(tmpdir(), 'hedgerow-'))
  if (hasEvents) copyInto(folder, STORE_NAMES.events)
  if (hasSql) {
    copyInto(folder, STORE_NAMES.sql)
    giveId(join(folder, STORE_NAMES.sql))
  }
  return folder
}

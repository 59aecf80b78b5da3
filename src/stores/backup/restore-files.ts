/**
 * Copies a backup into a new folder and checks it on the way: every file that the list names has its checksum, there
 * are as many as the manifest says, and the stores have as many rows. Changes nothing else.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { freeSpace } from '../../lib/disk-space.ts'
import { OperatorError } from '../../lib/errors.ts'
import type { Backup } from '../../model/backup.ts'
import type { RowCounts } from '../../model/events/store-copy.ts'
import { makeFolder, STORE_NAMES } from '../data-folder.ts'
import { countStored } from '../duckdb/copy/copy-rows.ts'
import { openDatabase } from '../duckdb/database.ts'
import { CHECKSUMS } from './backup-folder.ts'
import { readChecksums } from './checksum-list.ts'
import { copyFile, hashFile } from './copy-file.ts'
import { countRows } from './sql-snapshot.ts'

const damaged = (words: string) => new OperatorError(`The backup is damaged: ${words} Nothing was changed.`)

async function checkRoom(target: string, { bytes }: Backup): Promise<void> {
  if ((await freeSpace(target)) >= bytes) return
  throw new OperatorError(`There is too little room: the backup has ${Math.ceil(bytes / 1e6)} MB. Nothing was changed.`)
}

async function countEvents(path: string, tables: string[]): Promise<RowCounts> {
  const database = await openDatabase(path)
  try {
    return await database.read((connection) => countStored(connection, tables))
  } finally {
    await database.close()
  }
}

function compareCounts(store: string, expected: RowCounts, found: RowCounts): void {
  const wrong = Object.keys(expected).filter((table) => expected[table] !== found[table])
  if (wrong.length > 0) throw damaged(`the ${store} has not as many rows as it should in ${wrong.join(', ')}.`)
}

/** `target` is made; it must not exist. */
export async function copyBackup(folder: string, target: string, backup: Backup): Promise<void> {
  const list = join(folder, CHECKSUMS)
  if (!existsSync(list) || (await hashFile(list)).sha256 !== backup.checksums) {
    throw damaged(`${CHECKSUMS} is missing or was changed.`)
  }
  makeFolder(target)
  await checkRoom(target, backup)
  let files = 0
  for await (const { name, sha256 } of readChecksums(list)) {
    const copied = await copyFile(join(folder, name), join(target, name))
    if (!copied) throw damaged(`${name} is missing.`)
    if (copied.sha256 !== sha256) throw damaged(`${name} does not have its checksum.`)
    files += 1
  }
  if (files !== backup.files) throw damaged(`it has ${files} files instead of ${backup.files}.`)
  compareCounts('SQL store', backup.rows.sql, countRows(join(target, STORE_NAMES.sql)))
  const { events } = backup.rows
  compareCounts('event store', events, await countEvents(join(target, STORE_NAMES.events), Object.keys(events)))
}

/** Removes from a data folder what this version has added, so that it is as the previous version left it. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { withTables } from '../stores/tables.ts'

const revertSql = (dataDir: string): Promise<void> =>
  withTables({ dataDir }, async ({ all }) => {
    await all('drop table clock_state')
    await all('drop table installation')
    await all(`delete from schema_migrations where name = '0012-clock-and-installation'`)
  })

const OF_PERSONS = ['updated_at', 'last_seen_at', 'is_identified', 'width', 'search']
const ADDED_COLUMNS = {
  batches: ['seq'],
  events: ['id_hash', 'actor'],
  persons: [...OF_PERSONS, 'column_set'],
  fresh_persons: OF_PERSONS,
  distinct_ids: ['folded'],
  fresh_distinct_ids: ['folded', 'id_hash'],
}

const ADDED_TABLES = [
  'removals',
  'installation',
  'data_versions',
  'property_columns',
  'person_columns',
  'key_blocks',
  'overrides',
]

async function revertEvents(dataDir: string): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  await connection.run(`ATTACH '${join(dataDir, 'events.duckdb')}' AS store`)
  await connection.run('USE store')
  for (const table of ADDED_TABLES) await connection.run(`DROP TABLE ${table}`)
  for (const [table, columns] of Object.entries(ADDED_COLUMNS)) {
    for (const column of columns) await connection.run(`ALTER TABLE ${table} DROP COLUMN ${column}`)
  }
  await connection.run('DELETE FROM schema_version WHERE version >= 3')
  connection.closeSync()
  instance.closeSync()
}

/** No server may be running on it. */
export async function toEarlierVersion(dataDir: string): Promise<void> {
  await revertSql(dataDir)
  await revertEvents(dataDir)
  rmSync(join(dataDir, 'blobs', '~installation'))
}

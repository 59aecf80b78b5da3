/**
 * The SQL store of test apps: SQLite in the data folder, or, in vitest's project `postgres`, a PostgreSQL database of
 * its own for each data folder. An app that is opened again on a folder finds its database again.
 */
import type { TestDatabase } from './postgres/databases.ts'

export type SqlSettings = { HEDGEROW_SQL_URL?: string }

export const onPostgres = process.env.TEST_SQL === 'postgres'

/** For `skipIf`: true on PostgreSQL, where there is not what the test is about. */
export const needsSqlite = (_what: string): boolean => onPostgres

const databases = new Map<string, Promise<TestDatabase>>()

// Not at the top: vitest is not there when a fixture is made.
const makeDatabase = async (): Promise<TestDatabase> => (await import('./postgres/databases.ts')).newMigrated()

/** The one of a data folder; made when there is none yet. */
export function sqlDatabase(dataDir: string): Promise<TestDatabase> {
  const database = databases.get(dataDir) ?? makeDatabase()
  databases.set(dataDir, database)
  return database
}

/** What the environment says of the SQL store of a data folder. */
export const sqlSettings = async (dataDir: string): Promise<SqlSettings> =>
  onPostgres ? { HEDGEROW_SQL_URL: (await sqlDatabase(dataDir)).url } : {}

/** Makes the database of one data folder that of another, too; a copy that nobody uses. */
export async function copySql(from: string, to: string): Promise<void> {
  if (!onPostgres) return
  const { copyDatabase } = await import('./postgres/databases.ts')
  databases.set(to, copyDatabase(await sqlDatabase(from)))
  await databases.get(to)
}

/** Removes the database of a data folder, if it has one. */
export async function dropSql(dataDir: string): Promise<void> {
  const database = databases.get(dataDir)
  databases.delete(dataDir)
  await (await database)?.drop()
}

/** Of all data folders. */
export const dropAllSql = async (): Promise<void> => {
  for (const dataDir of [...databases.keys()]) await dropSql(dataDir)
}

/**
 * The SQL store of test apps: SQLite in the data folder, or, in vitest's project `postgres`, a PostgreSQL database of
 * its own for each data folder. An app that is opened again on a folder finds its database again. In the project
 * `killed-postgres` each data folder has a server of its own, which is killed between one opening and the next.
 */
import type { TestDatabase } from './postgres/databases.ts'

export type SqlSettings = { HEDGEROW_SQL_URL?: string }

const isKilled = process.env.TEST_SQL === 'killed-postgres'
export const onPostgres = isKilled || process.env.TEST_SQL === 'postgres'

/** For `skipIf`: true on PostgreSQL, where there is not what the test is about. */
export const needsSqlite = (_what: string): boolean => onPostgres

const databases = new Map<string, Promise<TestDatabase>>()

// Not at the top: vitest is not there when a fixture is made.
async function makeDatabase(): Promise<TestDatabase> {
  const { newMigrated, newServer } = await import('./postgres/databases.ts')
  return isKilled ? newServer() : newMigrated()
}

/** The one of a data folder; made when there is none yet. */
export function sqlDatabase(dataDir: string): Promise<TestDatabase> {
  const database = databases.get(dataDir) ?? makeDatabase()
  databases.set(dataDir, database)
  return database
}

/** Of the database of a data folder; null: it is the embedded one. */
export const sqlUrlOf = async (dataDir: string): Promise<string | null> =>
  onPostgres ? (await sqlDatabase(dataDir)).url : null

/** What the environment says of the SQL store of a data folder, for whoever opens it now. */
export async function sqlSettings(dataDir: string): Promise<SqlSettings> {
  if (!onPostgres) return {}
  const isKnown = databases.has(dataDir)
  const { url, kill } = await sqlDatabase(dataDir)
  if (isKnown) await kill?.()
  return { HEDGEROW_SQL_URL: url }
}

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

/**
 * The stores of test apps: embedded in the data folder, or, in vitest's project `scale`, a PostgreSQL database, a
 * ClickHouse database on two shards and a folder of a bucket, all of its own for each data folder. An app that is opened
 * again on a folder finds them again. In the project `killed-postgres` only the SQL store is elsewhere: each data folder
 * has a server of its own, which is killed between one opening and the next.
 */
import type { TestClickhouse } from '../clickhouse/databases.ts'
import type { TestDatabase } from '../postgres/databases.ts'
import type { TestBucket } from '../servers/bucket.ts'

export type Store = 'sql' | 'events' | 'blobs'

interface StoreSettings {
  HEDGEROW_SQL_URL?: string
  HEDGEROW_EVENTS_URL?: string
  HEDGEROW_BLOBS_URL?: string
}

const isKilled = process.env.TEST_STORES === 'killed-postgres'
/** PostgreSQL, ClickHouse and S3. */
export const atScale = process.env.TEST_STORES === 'scale'
export const onPostgres = isKilled || atScale

/** For `skipIf`: true on PostgreSQL, where there is not what the test is about. */
export const needsSqlite = (_what: string): boolean => onPostgres

/** For `skipIf`: true on ClickHouse, where there is not what the test is about. */
export const needsDuckdb = (_what: string): boolean => atScale

interface Kept {
  sql: Map<string, Promise<TestDatabase>>
  events: Map<string, Promise<TestClickhouse>>
  blobs: Map<string, Promise<TestBucket>>
}

/** By data folder. */
const kept: Kept = { sql: new Map(), events: new Map(), blobs: new Map() }

// Not at the top: vitest is not there when a fixture is made.
async function makeDatabase(): Promise<TestDatabase> {
  const { newMigrated, newServer } = await import('../postgres/databases.ts')
  return isKilled ? newServer() : newMigrated()
}

const MAKE = {
  sql: makeDatabase,
  events: async () => (await import('../clickhouse/databases.ts')).unusedClickhouse(),
  blobs: async () => (await import('../servers/bucket.ts')).newBucket(),
}

function keptOf<S extends Store>(store: S, dataDir: string): Kept[S] extends Map<string, infer One> ? One : never
function keptOf(store: Store, dataDir: string) {
  const all = kept[store] as Map<string, Promise<unknown>>
  const one = all.get(dataDir) ?? MAKE[store]()
  all.set(dataDir, one)
  return one
}

/** The one of a data folder; made when there is none yet. */
export const sqlDatabase = (dataDir: string): Promise<TestDatabase> => keptOf('sql', dataDir)

/** The one of a data folder; made when there is none yet. */
export const eventsDatabase = (dataDir: string): Promise<TestClickhouse> => keptOf('events', dataDir)

/** The one of a data folder; made when there is none yet. */
export const blobsBucket = (dataDir: string): Promise<TestBucket> => keptOf('blobs', dataDir)

/** Of the database of a data folder; null: it is the embedded one. */
export const sqlUrlOf = async (dataDir: string): Promise<string | null> =>
  onPostgres ? (await sqlDatabase(dataDir)).url : null

/** What the environment says of the stores of a data folder, for whoever opens it now. */
export async function storeSettings(dataDir: string): Promise<StoreSettings> {
  if (!onPostgres) return {}
  const isKnown = kept.sql.has(dataDir)
  const { url, kill } = await sqlDatabase(dataDir)
  if (isKnown) await kill?.()
  if (!atScale) return { HEDGEROW_SQL_URL: url }
  const [events, blobs] = await Promise.all([eventsDatabase(dataDir), blobsBucket(dataDir)])
  return { HEDGEROW_SQL_URL: url, HEDGEROW_EVENTS_URL: events.url, HEDGEROW_BLOBS_URL: blobs.url }
}

const STORES: readonly Store[] = ['sql', 'events', 'blobs']

/** Makes stores of one data folder those of another, too; copies that nobody uses. */
export async function copyStores(from: string, to: string, stores = STORES): Promise<void> {
  for (const store of stores) {
    const all = kept[store] as Map<string, Promise<TestDatabase | TestClickhouse | TestBucket>>
    const copy = (await all.get(from))?.copy()
    if (copy !== undefined) all.set(to, copy)
    await copy
  }
}

/** Removes what a data folder has elsewhere. */
export async function dropStores(dataDir: string, stores = STORES): Promise<void> {
  for (const store of stores) {
    const one = kept[store].get(dataDir)
    kept[store].delete(dataDir)
    await (await one)?.drop()
  }
}

/** The same when the last who used them has closed them, and no test has changed them but by the app. */
export async function putStoresBack(dataDir: string): Promise<void> {
  const [sql, events] = await Promise.all([kept.sql.get(dataDir), kept.events.get(dataDir)])
  if (sql?.putBack) kept.sql.delete(dataDir)
  kept.events.delete(dataDir)
  await dropStores(dataDir)
  await sql?.putBack?.()
  if (events) await (await import('../clickhouse/databases.ts')).putBack(events)
}

/** Of all data folders. */
export const dropAllStores = async (): Promise<void> => {
  const folders = new Set(STORES.flatMap((store) => [...kept[store].keys()]))
  for (const dataDir of folders) await dropStores(dataDir)
}

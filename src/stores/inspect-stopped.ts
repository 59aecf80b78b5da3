/**
 * Looks at the stores of a folder on which no server runs: whether each can be read, and whether they belong together.
 * Changes nothing. Meanwhile the folder is locked, so that no server starts under it.
 */
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { errorText, FolderInUse, isStoreAway } from '../lib/errors.ts'
import type { SqlStores } from '../model/stores.ts'
import { findMismatches, type Mismatches } from './check-installation.ts'
import { inspectClickhouse } from './clickhouse/inspect.ts'
import { lockFolder, STORE_NAMES } from './data-folder.ts'
import { inspectEvents } from './duckdb/inspect-file.ts'
import { inspectBlobs } from './fs/blobs.ts'
import { inspectS3Blobs } from './s3/blobs.ts'

type Place = Pick<Config, 'dataDir' | 'eventsUrl' | 'blobsUrl'>

const blobsOf = async ({ dataDir, blobsUrl }: Place) =>
  blobsUrl === null ? inspectBlobs(join(dataDir, STORE_NAMES.blobs)) : inspectS3Blobs(blobsUrl)

const eventsOf = async ({ dataDir, eventsUrl }: Place) =>
  eventsUrl === null ? inspectEvents(join(dataDir, STORE_NAMES.events)) : inspectClickhouse(eventsUrl)

async function look(place: Place, sql: SqlStores): Promise<Mismatches> {
  let events: Awaited<ReturnType<typeof eventsOf>>
  try {
    events = await eventsOf(place)
  } catch (error) {
    return { events: `The event store cannot be read: ${(error as Error).message}`, blobs: null }
  }
  if (events === null) return { events: null, blobs: null }
  try {
    return await findMismatches({ sql, events, blobs: await blobsOf(place) })
  } catch (error) {
    if (!isStoreAway(error)) throw error
    return { events: null, blobs: errorText(error) }
  } finally {
    await events.close()
  }
}

/** Null when a server uses the folder. */
export async function inspectStopped(place: Place, sql: SqlStores): Promise<Mismatches | null> {
  let unlock: () => void
  try {
    unlock = lockFolder(place.dataDir)
  } catch (error) {
    if (error instanceof FolderInUse) return null
    throw error
  }
  try {
    return await look(place, sql)
  } finally {
    unlock()
  }
}

/**
 * Bytes that each store takes on disk. The files of the databases are measured, servers are asked; of recordings there may
 * be very many, so their bytes come from what the SQL store knows of them, at most once a minute.
 */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../lib/time/clock.ts'
import { MINUTE } from '../lib/time/time.ts'
import type { Stores } from '../model/stores.ts'
import { STORE_NAMES } from './data-folder.ts'

const MOST_PROJECTS = 10_000

/** Of a database: the file itself, and what the engine keeps beside it. */
async function bytesOf(folder: string, file: string): Promise<number> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(file))
  const sizes = await Promise.all(
    names
      // Logs and copies come and go.
      .map((name) =>
        stat(join(folder, name)).then(
          (found) => (found.isFile() ? found.size : 0),
          () => 0,
        ),
      ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

export interface StoreSizesParts {
  dataDir: string
  stores: Pick<Stores, 'projects' | 'recordings' | 'bytesElsewhere' | 'events'>
  clock: Clock
}

/** By the name of the store. */
export function createStoreSizes({ dataDir, stores, clock }: StoreSizesParts): () => Promise<Map<string, number>> {
  let blobs = { bytes: 0, at: Number.NEGATIVE_INFINITY }
  const countBlobs = async (): Promise<number> => {
    const at = clock.steady()
    if (at - blobs.at < MINUTE) return blobs.bytes
    const all = { organizationIds: null, ids: null, search: null }
    const { items } = await stores.projects.list(all, { limit: MOST_PROJECTS, offset: 0 })
    let bytes = 0
    for (const { id } of items) bytes += await stores.recordings.storedBytes(id)
    blobs = { bytes, at }
    return bytes
  }
  return async () =>
    new Map([
      ['sql', (await bytesOf(dataDir, STORE_NAMES.sql)) + (await stores.bytesElsewhere())],
      ['events', (await bytesOf(dataDir, STORE_NAMES.events)) + (await stores.events.bytesElsewhere())],
      ['blobs', await countBlobs()],
    ])
}

/** Opens the database and reads what every part of the store works with. */
import { createSerialQueue } from '../../lib/concurrency/serial-queue.ts'
import { readUnfilled } from './actors/fill-actors.ts'
import { readVersions } from './data-versions.ts'
import { openDatabase } from './database.ts'
import { type Limits, type Parts, readProgress } from './progress.ts'
import { readPersonProperties } from './properties/person-columns.ts'
import { readProperties } from './properties/property-columns.ts'
import { migrateSchema } from './schema.ts'

/** `path` is a file, created when missing, or ':memory:'. `memory`: bytes that the engine may use. */
export async function openParts(path: string, limits: Limits, memory?: number): Promise<Parts> {
  const database = await openDatabase(path, memory)
  try {
    await migrateSchema(database, path)
    const progress = await readProgress(database)
    return {
      database,
      progress,
      properties: await database.write((connection) => readProperties(connection, progress.lastOrd)),
      personProperties: await database.write(readPersonProperties),
      actors: { unfilled: await database.read(readUnfilled), overridesLeft: null },
      versions: await readVersions(database),
      limits,
      removals: 0,
      removing: createSerialQueue(),
      copies: createSerialQueue(),
      turns: { next: 0, failures: [] },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

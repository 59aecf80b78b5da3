/** Opens the database and reads what every part of the store works with. */
import { createSerialQueue } from '../../lib/concurrency/serial-queue.ts'
import { readUnfilled } from './actors/fill-actors.ts'
import { COUNT_SETTLED } from './actors/overrides.ts'
import { readVersions } from './data-versions.ts'
import { type Database, openDatabase } from './database.ts'
import type { Limits, Parts, Progress } from './progress.ts'
import { readPersonProperties } from './properties/person-columns.ts'
import { readProperties } from './properties/property-columns.ts'
import { migrateSchema } from './schema.ts'
import { HIGHEST_SEQ } from './store-stamp.ts'

/** Each a statement of its own: planning them as one takes several times as long as all of them. */
const COUNTS: Record<keyof Progress, string> = {
  lastOrd: 'SELECT max(ord) FROM events',
  indexedOrd: 'SELECT greatest((SELECT max(ord) FROM moments), (SELECT max(ord) FROM recent_moments))',
  recentMoments: 'SELECT count(*) FROM recent_moments',
  freshPersons: 'SELECT count(*) FROM fresh_persons',
  freshDistinctIds: 'SELECT count(*) FROM fresh_distinct_ids',
  unseenPersons: 'SELECT count(*) FROM persons',
  unfilledPersons: 'SELECT count(*) FROM persons WHERE column_set < (SELECT max(since) FROM person_columns)',
  lastLongId: 'SELECT max(id) FROM long_texts',
  lastSeq: HIGHEST_SEQ,
  overrides: COUNT_SETTLED,
}

export async function readProgress(database: Database): Promise<Progress> {
  return database.read(async (connection) => {
    const counts: [string, number][] = []
    for (const [name, sql] of Object.entries(COUNTS)) {
      const found = await connection.runAndReadAll(sql)
      counts.push([name, Number(found.getRows()[0]?.[0] ?? 0)])
    }
    return Object.fromEntries(counts) as unknown as Progress
  })
}

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

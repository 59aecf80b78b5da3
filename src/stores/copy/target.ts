/** The stores that a copy is made in: each must be empty, or the copy of this source as far as it has come. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '../../lib/errors.ts'
import type { BlobStore } from '../../model/blob.ts'
import { fillClickhouse } from '../clickhouse/copy/fill-store.ts'
import { walkClickhouse } from '../clickhouse/copy/walk-store.ts'
import { inspectClickhouse } from '../clickhouse/inspect.ts'
import { STORE_NAMES } from '../data-folder.ts'
import { fillDuckdb } from '../duckdb/copy/fill-store.ts'
import { walkDuckdb } from '../duckdb/copy/walk-store.ts'
import { inspectEvents } from '../duckdb/inspect-file.ts'
import { type AllStoresConfig, type OpenEngine, openBlobs, openEngine } from '../open.ts'
import { isUnused, noteSource, readSource } from '../sql/copy/copy-tables.ts'
import { migrate } from '../sql/migrate.ts'
import { readEventsNote } from './copy-events.ts'
import type { EventsFill, EventsWalk, WalkOptions } from './moved-rows.ts'
import type { CopySource } from './source.ts'

const refuse = (store: string, why: string): never => {
  throw new OperatorError(`The ${store} to copy to ${why}. Name an empty one.`)
}

const NOT_EMPTY = 'is not empty, and no copy of this data that was begun and not ended'
const CHANGED =
  'has a part of this data, but that has changed since: a server or a command has worked on it. Empty it, then copy again'

/** Throws unless it can be used; what it is a copy of is noted. */
export async function openTargetSql(config: AllStoresConfig, { state }: CopySource): Promise<OpenEngine> {
  const engine = await openEngine(config, { displaced: () => {} })
  try {
    const { reader } = engine
    const noted = await readSource(engine)
    if (noted !== null && noted !== state) {
      const isOurs = JSON.parse(noted).id === JSON.parse(state).id
      refuse('SQL store', isOurs ? CHANGED : NOT_EMPTY)
    }
    const isNew = !(await reader.dialect.catalog.hasTable(reader.db, 'organizations'))
    if (noted === null && !isNew && !(await isUnused(engine))) refuse('SQL store', NOT_EMPTY)
    await migrate(engine)
    await noteSource(engine, state)
    return engine
  } catch (error) {
    await engine.close()
    throw error
  }
}

const eventsFile = ({ dataDir }: AllStoresConfig): string => join(dataDir, STORE_NAMES.events)

const openFill = (config: AllStoresConfig): Promise<EventsFill> =>
  config.eventsUrl === null ? fillDuckdb(eventsFile(config), config.eventsMemory) : fillClickhouse(config.eventsUrl)

export const openWalk = (config: AllStoresConfig, options: WalkOptions): Promise<EventsWalk> =>
  config.eventsUrl === null
    ? walkDuckdb(eventsFile(config), config.eventsMemory, options)
    : walkClickhouse(config.eventsUrl, options)

/** Before it is opened, which may change it. */
async function refuseForeign(config: AllStoresConfig, id: string): Promise<void> {
  if (config.eventsUrl === null && !existsSync(eventsFile(config))) return
  const found =
    config.eventsUrl === null ? await inspectEvents(eventsFile(config)) : await inspectClickhouse(config.eventsUrl)
  if (found === null) return config.eventsUrl === null ? refuse('event store', NOT_EMPTY) : undefined
  try {
    const stamp = await found.stamp()
    if (stamp !== null && stamp.id !== id) refuse('event store', NOT_EMPTY)
  } finally {
    await found.close()
  }
}

export interface TargetEvents {
  fill: EventsFill
  /** An earlier copy has all of it, and said so. */
  isComplete: boolean
}

export async function openTargetEvents(config: AllStoresConfig, source: CopySource): Promise<TargetEvents> {
  const { installation, applied, state } = source
  await refuseForeign(config, installation.id)
  const fill = await openFill(config)
  try {
    const note = readEventsNote(await fill.noted())
    if (note !== null) {
      const isOurs = JSON.parse(note.source).id === installation.id
      if (note.source !== state) refuse('event store', isOurs ? CHANGED : NOT_EMPTY)
      return { fill, isComplete: false }
    }
    if (await fill.isEmpty()) return { fill, isComplete: false }
    const stamp = await fill.stamp()
    if (stamp?.id !== installation.id || stamp.reached !== applied) refuse('event store', NOT_EMPTY)
    return { fill, isComplete: true }
  } catch (error) {
    await fill.close()
    throw error
  }
}

/** In the stamp of recordings: not all of them are there yet. */
const INCOMPLETE = -1

const hasParts = async (blobs: BlobStore): Promise<boolean> => {
  for await (const _ of await blobs.parts('')) return true
  return false
}

/**
 * One that was completed is accepted only together with a SQL store, which knows whether the whole copy was: a server may have
 * gone on with it since.
 */
export async function openTargetBlobs(
  config: AllStoresConfig,
  { installation: { id, starts } }: CopySource,
  isWithSql: boolean,
): Promise<BlobStore> {
  const blobs = await openBlobs(config)
  const stamp = await blobs.stamp()
  const isOurs = stamp?.id === id && (stamp.reached === INCOMPLETE || (isWithSql && stamp.reached === starts))
  if (!isOurs && (stamp !== null || (await hasParts(blobs)))) refuse('place for recordings', NOT_EMPTY)
  await blobs.setStamp({ id, reached: INCOMPLETE })
  return blobs
}

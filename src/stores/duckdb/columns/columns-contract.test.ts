/** The contract of the event store with the columns of properties and actors filled, wholly and by half. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { MINUTE } from '../../../lib/time/time.ts'
import type { EventStore } from '../../../model/events/event.ts'
import { eventStoreContract } from '../../contract/registry.ts'
import { applyBatches } from '../apply-batches.ts'
import { createStore } from '../events.ts'
import { openParts } from '../open-parts.ts'
import { foldAll } from '../people/people-projection.ts'
import { LIMITS, type Parts } from '../progress.ts'
import { nameOf } from '../properties/property-columns.ts'
import { startColumnsPass } from './columns-pass.ts'

const folder = mkdtempSync(join(tmpdir(), 'hedgerow-filled-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The rows of a whole suite count, as there is no file. With the first JSON is read by one thread, with the other by all. */
const MEMORY = { all: 512e6, half: 2e9 }

/** Every key of short values in a column, whatever else it has, and every owner in the events. */
const keen = {
  ...LIMITS,
  readMs: 10 * MINUTE,
  kindShare: 0.1,
  commonEvents: 1,
  columns: 200,
  columnBytes: 100,
  allColumnBytes: 10_000,
  lookPersons: 1,
  commonPersons: 1,
  personColumns: 200,
  personColumnBytes: 1_000,
  allPersonColumnBytes: 100_000,
  overrides: 1,
}

/**
 * After each batch, columns are filled up to the last event and person, or to half of the events that they lack and half
 * of the persons; actors of half of all events, and every second batch of persons is not folded.
 */
async function openFilled(path: string, share: 'all' | 'half'): Promise<EventStore> {
  const limits = { ...keen }
  const parts = await openParts(path, limits, MEMORY[share])
  const pass = startColumnsPass(parts)
  const store = createStore(parts, pass)
  let applied = 0
  return {
    ...store,
    async apply(batches, now) {
      await applyBatches(parts, batches, now)
      applied += 1
      if (share === 'all' || applied % 2 === 0) await foldPeople(parts)
      const lacking = parts.progress.lastOrd - parts.properties.scanned
      limits.blockEvents = Math.max(1, share === 'all' ? lacking : Math.floor(lacking / 2) + 1)
      await pass.finish()
      if (share === 'half') await emptyHalf(parts)
    },
  }
}

async function foldPeople(parts: Parts): Promise<void> {
  await parts.database.write(
    (connection) => foldAll(connection, parts),
    (folded) => Object.assign(parts.progress, folded),
  )
}

/** Actors of the first half of the events, as in a store of an earlier version; and columns of half of the persons. */
async function emptyHalf({ database, progress, actors, personProperties }: Parts): Promise<void> {
  const half = Math.floor(progress.lastOrd / 2)
  const names = personProperties.columns.map((column) => `${nameOf(column)} = NULL, `)
  await database.write(async (connection) => {
    await connection.run(`UPDATE events SET id_hash = NULL, actor = NULL WHERE ord <= ${half}`)
    await connection.run(`UPDATE persons SET ${names.join('')} column_set = 0 WHERE person_id % 2 = 0`)
  })
  actors.unfilled = { from: 0, to: half }
}
/** What does not read columns of properties or actors. */
const ELSEWHERE = [
  'applying',
  'people',
  'people of an earlier version',
  'timeline',
  'channel type',
  'session values',
  'definitions',
  'reads that nobody waits for',
  'version of the data',
] as const
let files = 0
const filledFile = () => {
  const path = join(folder, `${++files}.duckdb`)
  return { open: () => openFilled(path, 'all') }
}
eventStoreContract('DuckDB with columns filled', filledFile, {
  leaveOut: [...ELSEWHERE, 'property filters'],
  length: 'short',
})
const halfInMemory = { open: () => openFilled(':memory:', 'half') }
eventStoreContract('DuckDB with columns filled by half', () => halfInMemory, {
  survivesClosing: false,
  length: 'short',
  leaveOut: [...ELSEWHERE, 'property filters of people', 'any number of rows', 'insights of any size'],
})

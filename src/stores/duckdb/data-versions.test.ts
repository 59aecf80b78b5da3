import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, expect, it } from 'vitest'
import { makeBatch, makeEvent, makePerson, NOON } from '../contract/batch-builders.ts'
import { openDuckdbEvents } from './events.ts'

const folder = mkdtempSync(join(tmpdir(), 'hedgerow-versions-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function run(path: string, ...statements: string[]): Promise<void> {
  const instance = await DuckDBInstance.create(path)
  const connection = await instance.connect()
  for (const sql of statements) await connection.run(sql)
  connection.closeSync()
  instance.closeSync()
}

it('a file of an earlier version has a version of each project with any data, which stays', async () => {
  const path = join(folder, 'earlier.duckdb')
  const [events, person, owner, nobody] = [1, 2, 3, 4] as const
  const first = await openDuckdbEvents(path)
  const distinctIds = [{ projectId: owner, distinctId: 'ann', personId: 1 }]
  await first.apply([makeBatch(1, { events: [makeEvent(events)], persons: [makePerson(person)], distinctIds })], NOON)
  await first.close()
  const tables = ['data_versions', 'property_columns', 'person_columns', 'key_blocks', 'overrides'].map(
    (table) => `DROP TABLE ${table}`,
  )
  const columns = [
    'events DROP id_hash',
    'events DROP actor',
    'fresh_distinct_ids DROP id_hash',
    'persons DROP column_set',
  ].map((change) => `ALTER TABLE ${change}`)
  await run(path, ...tables, ...columns, 'DELETE FROM schema_version WHERE version > 5')

  const migrated = await openDuckdbEvents(path)
  const versions = await Promise.all([events, person, owner, nobody].map((id) => migrated.dataVersion(id)))
  expect(new Set(versions).size).toBe(4)
  await migrated.removeProject(events)
  // It has no data now, as the one that never had any.
  expect(await migrated.dataVersion(events)).toBe(versions[3])
  await migrated.close()
  const again = await openDuckdbEvents(path)
  expect(await Promise.all([person, owner].map((id) => again.dataVersion(id)))).toEqual(versions.slice(1, 3))
  await again.close()
})

it('is read without the engine', async () => {
  const store = await openDuckdbEvents(':memory:')
  await store.apply([makeBatch(1, { events: [makeEvent(1)] })], NOON)
  const version = await store.dataVersion(1)
  await store.close()
  expect(await store.dataVersion(1)).toBe(version)
})

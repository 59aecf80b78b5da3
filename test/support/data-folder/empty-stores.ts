/** Before the tests: a data folder with empty stores, for new-folder.ts to copy. Making their tables is half of a start. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { readConfig } from '../../../src/config.ts'
import { STORE_NAMES } from '../../../src/stores/data-folder.ts'
import { openDuckdbEvents } from '../../../src/stores/duckdb/events.ts'
import { LIMITS } from '../../../src/stores/duckdb/progress.ts'
import { openSql } from '../../../src/stores/open.ts'

declare module 'vitest' {
  interface ProvidedContext {
    emptyStores: string
  }
}

/** Returns what is done after the tests. */
export async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'hedgerow-empty-'))
  const sql = await openSql(readConfig({ HEDGEROW_DATA_DIR: folder }))
  // Into the file, which is all that is copied.
  await sql.stores.truncateLog()
  await sql.close()
  await (await openDuckdbEvents(join(folder, STORE_NAMES.events), LIMITS)).close()
  project.provide('emptyStores', folder)
  return () => rmSync(folder, { recursive: true, force: true })
}

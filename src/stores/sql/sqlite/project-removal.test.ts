import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { openSql } from '../../open.ts'
import { OWNED } from '../repositories/projects/project-removal.ts'

it('finds a portion by an index wherever it declares one: scanning the table for each would take ever longer', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'hedgerow-sql-'))
  const { close } = await openSql({ dataDir, sqlUrl: null, eventsUrl: null, blobsUrl: null })
  const database = new Database(join(dataDir, 'hedgerow.db'), { readonly: true })
  const planOf = (table: string) => {
    const rows = database.prepare(`explain query plan select 1 from ${table} where project_id = 1 limit 10`).all()
    return (rows as { detail: string }[]).map(({ detail }) => detail.split(' ')[0]).join()
  }
  const found = OWNED.map(({ table, by }) => [table, by, planOf(table)])
  expect(found).toEqual(OWNED.map(({ table, by }) => [table, by, by === 'index' ? 'SEARCH' : 'SCAN']))
  database.close()
  await close()
  rmSync(dataDir, { recursive: true, force: true })
})

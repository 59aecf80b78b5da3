/** Each list of persons is read by its own index, whether or not SQLite knows how the values are distributed. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PersonLookup } from '../../../model/persons/person.ts'
import { type OpenSql, openSql } from '../../open.ts'
import type { Connection } from '../connection.ts'
import { personLists } from '../repositories/persons/person-lists.ts'
import { registerSqliteFunctions } from './functions.ts'
import { openSqliteReader } from './open-sqlite.ts'

let dataDir: string
let opened: OpenSql
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'hedgerow-plans-'))
  opened = await openSql({ dataDir, sqlUrl: null, eventsUrl: null, blobsUrl: null })
  await opened.stores.transaction(async (tx) => {
    for (let n = 0; n < 3_000; n++) {
      const properties = n % 3 === 0 ? { email: `user-${n}@example.com` } : {}
      const person = { projectId: 1, uuid: randomUUID(), properties, isIdentified: true, createdAt: n }
      await tx.persons.create(person, [`id-${n}`])
    }
  })
})
afterAll(async () => {
  await opened.close()
  rmSync(dataDir, { recursive: true, force: true })
})

/** The plans of all statements that Kysely runs for `ask`; prepared ones, which have places instead of values, are look-ups by key. */
async function plansOf(ask: (connection: Connection) => Promise<unknown>): Promise<string[]> {
  const path = join(dataDir, 'hedgerow.db')
  const connection = openSqliteReader(path, registerSqliteFunctions, async () => {})
  const ran: CompiledQuery[] = []
  const db = connection.db.withPlugin({
    transformQuery: ({ node, queryId }) => {
      const compiled = connection.db.getExecutor().compileQuery(node, queryId)
      if (!compiled.parameters.some((value) => typeof value === 'object')) ran.push(compiled)
      return node
    },
    transformResult: async ({ result }) => result,
  })
  await ask({ ...connection, db })
  await connection.db.destroy()
  const database = new Database(path, { readonly: true })
  const plans = ran.map(({ sql, parameters }) => {
    const rows = database.prepare(`explain query plan ${sql}`).all(...parameters) as { detail: string }[]
    return rows.map(({ detail }) => detail).join('; ')
  })
  database.close()
  return plans
}

const EMAIL = 'SEARCH persons USING COVERING INDEX persons_email (project_id=? AND <expr>=?'
const KEY = 'SEARCH persons USING INTEGER PRIMARY KEY (rowid=?)'
const NEWEST = 'SEARCH persons USING COVERING INDEX persons_newest (project_id=?'

describe.each(['without statistics', 'with statistics'])('the lists of persons, %s', (state) => {
  beforeAll(() => {
    if (state === 'without statistics') return
    const database = new Database(join(dataDir, 'hedgerow.db'))
    database.exec('analyze')
    expect(database.prepare('select count(*) from sqlite_stat1').pluck().get()).toBeGreaterThan(0)
    database.close()
  })

  const page = { limit: 100, offset: 0 }
  const cursor = { time: 2_000, id: 2_000 }
  it.each<[string, PersonLookup, string]>([
    ['the plain list', {}, NEWEST],
    ['by e-mail', { email: 'user-300@example.com' }, EMAIL],
    ['by distinct id', { distinctId: 'id-300' }, KEY],
  ])('%s has an index of its own', async (_name, lookup, start) => {
    const plans = await plansOf(async (connection) => {
      const lists = personLists(connection)
      await lists.list(1, lookup, page)
      await lists.list(1, lookup, { limit: 10, offset: 2_000 })
      await lists.listAfter(1, lookup, cursor, 1_000)
      await lists.count(1, lookup)
    })
    expect(plans.length).toBeGreaterThanOrEqual(3)
    for (const plan of plans) expect(plan.startsWith(start), plan).toBe(true)
    for (const plan of plans) expect(plan).not.toContain('B-TREE')
  })
})

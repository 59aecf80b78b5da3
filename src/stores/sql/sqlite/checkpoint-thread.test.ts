import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { CheckpointThread, type LogState } from './checkpoint-thread.ts'
import { registerSqliteFunctions } from './functions.ts'
import { openSqlite, type SqliteConnections } from './open-sqlite.ts'

const PAGE = 4_096

let folder: string
let path: string
let sqlite: SqliteConnections

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hedgerow-checkpoint-'))
  path = join(folder, 'hedgerow.db')
  sqlite = openSqlite(path, registerSqliteFunctions)
  await sql`create table pages (n integer primary key, content text)`.execute(sqlite.writer.db)
})
afterEach(async () => {
  await sqlite.close()
  rmSync(folder, { recursive: true, force: true })
})

const writePages = (count: number) =>
  sqlite.writer.db.transaction().execute(async (trx) => {
    for (let n = 0; n < count; n++) {
      await sql`insert into pages (content) values (${'x'.repeat(PAGE - 100)})`.execute(trx)
    }
  })

function logState(): LogState {
  const database = new Database(path, { readonly: true })
  const [state] = database.pragma('wal_checkpoint(NOOP)') as LogState[]
  database.close()
  return state as LogState
}

const movedBy = async (reached: (state: LogState) => boolean) => {
  while (!reached(logState())) await sleep(5)
}

it('a short log stays where it is, a long one is moved into the file without a commit having to', async () => {
  await writePages(1_000)
  expect(logState()).toMatchObject({ checkpointed: 0 })
  expect(statSync(path).size).toBeLessThan(100 * PAGE)
  await writePages(4_000)
  await movedBy(({ log, checkpointed }) => log === checkpointed)
  expect(statSync(path).size).toBeGreaterThan(5_000 * PAGE)
  expect(await sql`select count(*) as count from pages`.execute(sqlite.reader.db)).toMatchObject({
    rows: [{ count: 5_000 }],
  })
})

it('the log does not grow while commits follow each other', async () => {
  for (let round = 0; round < 4; round++) {
    await writePages(4_500)
    await movedBy(({ log, checkpointed }) => log - checkpointed < 4_000)
  }
  expect(statSync(`${path}-wal`).size).toBeLessThan(17_000 * PAGE)
})

it('what a commit adds while pages are being moved is moved too, though no other commit follows', async () => {
  for (let round = 0; round < 3; round++) {
    await writePages(4_500)
    await writePages(4_500)
    await movedBy(({ log, checkpointed }) => log - checkpointed < 4_000)
  }
})

it('while a reader holds on to the log, the rest of it is moved when the reader has ended', async () => {
  const reader = new Database(path, { readonly: true })
  const rows = reader.prepare('select name from sqlite_master').iterate()
  rows.next()
  await writePages(5_000)
  await writePages(10)
  expect(statSync(path).size).toBeLessThan(100 * PAGE)
  rows.return?.()
  reader.close()
  await writePages(10)
  await movedBy(({ checkpointed }) => checkpointed > 5_000)
})

it('a thread that cannot open the file fails no commit, and is tried again', async () => {
  const thread = new CheckpointThread(join(folder, 'no', 'such.db'), () => ({ log: 5_000, checkpointed: 0 }))
  for (let tries = 0; tries < 2; tries++) {
    thread.committed()
    expect(thread.isRunning).toBe(true)
    while (thread.isRunning) await sleep(5)
  }
  await thread.close()
})

it('a state that cannot be read fails no commit', async () => {
  const thread = new CheckpointThread(path, () => {
    throw new Error('database is locked')
  })
  thread.committed()
  expect(thread.isRunning).toBe(false)
  await thread.close()
})

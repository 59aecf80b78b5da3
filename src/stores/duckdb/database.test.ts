import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { type Database, IN_MEMORY, openDatabase } from './database.ts'

const folder = mkdtempSync(join(tmpdir(), 'hedgerow-duckdb-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const rows = (database: Database, sql: string) =>
  database.read(async (connection) => (await connection.runAndReadAll(sql)).getRows())

async function numbers(): Promise<Database> {
  const database = await openDatabase(IN_MEMORY)
  await database.write((connection) => connection.run('CREATE TABLE numbers (n INTEGER)'))
  return database
}

it('never fetches an extension, keeps to its memory, and spills next to the file or nowhere', async () => {
  const path = join(folder, 'settings.duckdb')
  const names = [
    'autoinstall_known_extensions',
    'autoload_known_extensions',
    'allow_community_extensions',
    'memory_limit',
  ]
  const settings = `SELECT ${[...names, 'temp_directory'].map((name) => `current_setting('${name}')`).join(', ')}`
  const inFile = await openDatabase(path)
  expect(await rows(inFile, settings)).toEqual([[false, false, false, '244.1 MiB', `${path}.tmp`]])
  await expect(rows(inFile, `SELECT * FROM read_csv('https://127.0.0.1:1/x.csv')`)).rejects.toThrow(/httpfs/)
  await inFile.close()
  const inMemory = await openDatabase(IN_MEMORY)
  expect(await rows(inMemory, settings)).toEqual([[false, false, false, '244.1 MiB', '']])
  await inMemory.close()
})

it('runs transactions one after the other and reports each commit before the next begins', async () => {
  const database = await numbers()
  const reported: string[] = []
  const insert = (n: number) =>
    database.write(
      async (connection) => {
        reported.push(`begin ${n}`)
        await connection.run('INSERT INTO numbers VALUES ($1)', [n])
        return n
      },
      (result) => reported.push(`committed ${result}`),
    )
  await Promise.all([insert(1), insert(2), insert(3)])
  expect(reported).toEqual([1, 2, 3].flatMap((n) => [`begin ${n}`, `committed ${n}`]))
  await database.close()
})

it('keeps nothing of a transaction that rejects, reports no commit, and goes on with the next', async () => {
  const database = await numbers()
  const reported: unknown[] = []
  const failing = database.write(
    async (connection) => {
      await connection.run('INSERT INTO numbers VALUES (1)')
      throw new Error('changed my mind')
    },
    (result) => reported.push(result),
  )
  const broken = database.write((connection) => connection.run('INSERT INTO nowhere VALUES (1)'))
  const next = database.write((connection) => connection.run('INSERT INTO numbers VALUES (2)'))
  await expect(failing).rejects.toThrow('changed my mind')
  await expect(broken).rejects.toThrow(/nowhere/)
  await next
  expect(await rows(database, 'SELECT n FROM numbers')).toEqual([[2]])
  expect(reported).toEqual([])
  await database.close()
})

it('lets more readers come than there are connections, while a transaction is open', async () => {
  const database = await numbers()
  const seen = await database.write(async (connection) => {
    await connection.run('INSERT INTO numbers VALUES (1)')
    return Promise.all(Array.from({ length: 10 }, () => rows(database, 'SELECT count(*) FROM numbers')))
  })
  expect(seen).toEqual(Array.from({ length: 10 }, () => [[0n]]))
  await database.close()
})

it('finishes what is running before it closes, and takes nothing after', async () => {
  const database = await numbers()
  const writing = database.write((connection) => connection.run('INSERT INTO numbers SELECT * FROM range(1000)'))
  const reading = rows(database, 'SELECT count(*) FROM range(1000)')
  await Promise.all([database.close(), database.close()])
  await expect(writing).resolves.toBeDefined()
  expect(await reading).toEqual([[1000n]])
  await expect(rows(database, 'SELECT 1')).rejects.toThrow('closed')
  await expect(database.write((connection) => connection.run('SELECT 1'))).rejects.toThrow('closed')
})

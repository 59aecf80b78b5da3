import { DuckDBInstance } from '@duckdb/node-api'
import { expect, it } from 'vitest'
import { IN_MEMORY } from './database.ts'
import { MemoryReturn } from './return-memory.ts'

it('returns memory while the process is large and has grown, and only then', async () => {
  let megabytes = 0
  let returns = 0
  const run = async () => {
    returns += 1
    megabytes -= 50
  }
  const memoryReturn = new MemoryReturn({ run } as never, '256MB', () => megabytes * 1e6)
  const seen: number[] = []
  // Before each look; a return takes 50 off.
  for (const now of [150, 399, 450, 405, 409, 411, 300, 390, 415]) {
    megabytes = now
    await memoryReturn.look()
    seen.push(returns)
  }
  await memoryReturn.stop()
  expect(seen).toEqual([0, 0, 1, 1, 1, 2, 2, 2, 3])
})

it('leaves the limit as it was', async () => {
  const instance = await DuckDBInstance.create(IN_MEMORY, { memory_limit: '256MB' })
  const connection = await instance.connect()
  const limit = async () => (await connection.runAndReadAll(`SELECT current_setting('memory_limit')`)).getRows()
  const before = await limit()
  const memoryReturn = new MemoryReturn(connection, '256MB', () => 500e6)
  await memoryReturn.look()
  await memoryReturn.stop()
  expect(await limit()).toEqual(before)
  connection.closeSync()
  instance.closeSync()
})

it('goes on when the engine refuses, as it does while all of its memory is in use', async () => {
  const limit = '50MB'
  const instance = await DuckDBInstance.create(IN_MEMORY, { memory_limit: limit, temp_directory: '' })
  const connection = await instance.connect()
  await connection.run('CREATE TABLE numbers AS SELECT hash(range) AS n FROM range(100000)')
  const fill = async () => {
    for (;;) await connection.run('INSERT INTO numbers SELECT hash(range) FROM range(100000)')
  }
  await expect(fill()).rejects.toThrow('could not allocate')
  await expect(connection.run(`SET GLOBAL memory_limit = '40MB'`)).rejects.toThrow('memory limit')
  let megabytes = 500
  const memoryReturn = new MemoryReturn(connection, '40MB', () => megabytes * 1e6)
  await memoryReturn.look()
  await connection.run('DROP TABLE numbers')
  megabytes = 600
  await memoryReturn.look()
  await memoryReturn.stop()
  const found = await connection.runAndReadAll(`SELECT current_setting('memory_limit')`)
  expect(found.getRows()).toEqual([['38.1 MiB']])
  connection.closeSync()
  instance.closeSync()
})

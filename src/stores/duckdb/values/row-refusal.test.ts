/**
 * Whether rows or the engine are the reason that rows cannot be stored: tested with the real engine, short of memory
 * and of disk.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance, VARCHAR } from '@duckdb/node-api'
import { expect, it } from 'vitest'
import { appendRows } from './append-rows.ts'
import { onRows } from './row-refusal.ts'

const kindOf = async (work: () => Promise<unknown>): Promise<unknown> => {
  const error = await onRows(work).catch((caught: unknown) => caught)
  return (error as { kind?: string }).kind ?? 'not the rows'
}

it.each([
  'IO Error: Could not write file "events.duckdb.wal": No space left on device',
  'Out of Memory Error: could not allocate block of size 256.0 KiB (19.0 MiB/19.0 MiB used)',
  'Failed to append: could not allocate block of size 256.0 KiB (19.0 MiB/19.0 MiB used)',
  'Failed to append: Could not write file "events.duckdb.tmp/x": No space left on device',
  'FATAL Error: Failed: database has been invalidated because of a previous fatal error.',
  'INTERNAL Error: Attempted to access index 0 within vector of size 0',
  'TransactionContext Error: Failed to commit: Could not write file',
  'Array buffer allocation failed',
])('is the fault of no row: %s', async (message) => {
  expect(await kindOf(() => Promise.reject(new Error(message)))).toBe('not the rows')
})

it.each([
  'Failed to append: NOT NULL constraint failed: events.ts',
  'type mismatch in AppendDataChunk, expected UUID, got VARCHAR for column 7',
  'number out of int32 range',
  "Conversion Error: Could not convert string 'Out of Memory Error' to INT128",
  'Unterminated string in JSON at position 7',
])('is the fault of a row: %s', async (message) => {
  expect(await kindOf(() => Promise.reject(new Error(message)))).toBe('unprocessable')
})

it.each([new TypeError("Cannot read properties of undefined (reading 'length')"), new SyntaxError('Cannot read x')])(
  'is the fault of a row when JavaScript cannot read it: %s',
  async (error) => {
    expect(await kindOf(() => Promise.reject(error))).toBe('unprocessable')
  },
)

it('recognizes an engine that has no memory left', async () => {
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '20MB', temp_directory: '' })
  const connection = await instance.connect()
  await connection.run('CREATE TABLE texts (text VARCHAR)')
  const rows = Array.from({ length: 20_000 }, (_, i) => `${i} `.repeat(800))
  const column = { type: VARCHAR, value: (row: string) => row }
  expect(await kindOf(() => appendRows(connection, 'texts', [column], rows))).toBe('not the rows')
  connection.closeSync()
  instance.closeSync()
})

it('recognizes an engine that has no disk left, although it accepts a small batch right after', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hedgerow-full-'))
  const urlOf = (file: string) => JSON.stringify(new URL(file, import.meta.url).href)
  const program = `
    import { randomBytes } from 'node:crypto'
    import { makeBatch, makeEvent } from ${urlOf('../../contract/batch-builders.ts')}
    import { openDuckdbEvents } from ${urlOf('../events.ts')}
    process.on('SIGXFSZ', () => {})
    const store = await openDuckdbEvents(${JSON.stringify(join(folder, 'events.duckdb'))})
    const large = () => makeEvent(1, { properties: { text: randomBytes(3_000).toString('hex') } })
    const kinds = []
    for (let i = 0; i < 6; i++) {
      const batch = makeBatch(1, { events: Array.from({ length: 500 }, large) })
      await store.apply([batch], 1).catch((error) => kinds.push(error.kind ?? 'not the rows'))
    }
    await store.apply([makeBatch(1, { events: [makeEvent(1)] })], 1)
    console.log([...new Set(kinds)].join())`
  const args = ['--import', 'tsx', '--input-type=module', '--eval', program]
  // No file may grow beyond this many blocks of 1,024 bytes.
  const limited = ['-c', 'ulimit -f 6000; exec "$0" "$@"', process.execPath, ...args]
  const { stdout, stderr } = spawnSync('bash', limited, { encoding: 'utf8' })
  rmSync(folder, { recursive: true, force: true })
  expect([stdout, stderr]).toEqual(['not the rows\n', ''])
})

import { expect, it } from 'vitest'
import { isDiskFull } from './disk-full.ts'

const withCode = (message: string, code: string) => Object.assign(new Error(message), { code })

it.each([
  withCode('ENOSPC: no space left on device, write', 'ENOSPC'),
  withCode('write failed', 'EDQUOT'),
  withCode('database or disk is full', 'SQLITE_FULL'),
  new Error('IO Error: Could not write file "/d/events.duckdb.wal": No space left on device'),
  new Error('TransactionContext Error: Failed to commit: Could not write file "x": No space left on device'),
  new Error('Could not write file "x": No space left on device'),
  new Error('database or disk is full'),
  new Error('outer', { cause: withCode('x', 'ENOSPC') }),
])('is a full disk: %s', (error) => {
  expect(isDiskFull(error)).toBe(true)
})

it.each([
  withCode('disk I/O error', 'SQLITE_IOERR'),
  withCode('too many open files', 'EMFILE'),
  new Error('Out of Memory Error'),
  // What was sent, quoted.
  new Error("Conversion Error: Could not convert string 'No space left on device' to INT64"),
  new Error("Failed to cast value: Could not convert string 'ENOSPC'"),
  new Error('The name "database or disk is full" is taken.'),
  'ENOSPC',
  null,
])('is something else: %s', (error) => {
  expect(isDiskFull(error)).toBe(false)
})

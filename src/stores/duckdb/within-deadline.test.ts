import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Deadline } from '../../lib/time/deadline.ts'
import { type Database, openDatabase } from './database.ts'

/** Hours of work if not interrupted; uses little memory. */
const ENDLESS = 'SELECT count(*) FROM range(100000000) AS a, range(100000000) AS b WHERE a.range + b.range < 0'
/** Uses much more memory before it ends. */
const GREEDY =
  'SELECT max(n) FROM (SELECT a.range % 3000000 AS n FROM range(100000000) AS a, range(1000) AS b GROUP BY n)'

const timeout = { kind: 'timeout', code: 'timeout' }
const SOON_MS = 50

let database: Database
beforeAll(async () => {
  database = await openDatabase(':memory:')
})
afterAll(() => database.close())

const held = async () => {
  const sql = 'SELECT sum(memory_usage_bytes)::DOUBLE FROM duckdb_memory()'
  return (await database.read((connection) => connection.runAndReadAll(sql))).getRows()[0]?.[0] as number
}

const allTimeOut = async (reads: Promise<unknown>[]) => {
  const ends = await Promise.allSettled(reads)
  expect(ends).toMatchObject(reads.map(() => ({ status: 'rejected', reason: timeout })))
}

const one = async (deadline?: Deadline) =>
  (await database.read((connection) => connection.runAndReadAll('SELECT 1'), { deadline })).getRows()

describe('a read with a deadline', () => {
  it('is interrupted after the deadline, frees its memory, and leaves all connections as they were', async () => {
    const before = await held()
    // More than there are connections: each connection is used.
    const endless = [ENDLESS, GREEDY, ENDLESS, GREEDY].map((sql) =>
      database.read((connection) => connection.runAndReadAll(sql), { deadline: new Deadline(SOON_MS) }),
    )
    await allTimeOut(endless)
    expect(await Promise.all([one(), one(), one(), one()])).toEqual([[[1]], [[1]], [[1]], [[1]]])
    await expect.poll(held).toBeLessThanOrEqual(before + 1_000_000)
  })

  it('also refuses the statement that follows, and its temporary tables are gone', async () => {
    const work = database.read(
      async (connection) => {
        await connection.run('CREATE TEMP TABLE learned AS SELECT 1 AS n')
        try {
          await connection.runAndReadAll(ENDLESS)
        } finally {
          await connection.run('DROP TABLE temp.learned')
        }
      },
      { deadline: new Deadline(SOON_MS) },
    )
    await expect(work).rejects.toMatchObject(timeout)
    const left = 'SELECT table_name FROM duckdb_tables() WHERE temporary'
    for (const _ of [1, 2]) {
      expect((await database.read((connection) => connection.runAndReadAll(left))).getRows()).toEqual([])
    }
  })

  it('starts nothing when the deadline is over already', async () => {
    await expect(one(new Deadline(0))).rejects.toMatchObject(timeout)
  })

  it('ends when it is aborted, with a statement running or in the queue', async () => {
    const controller = new AbortController()
    const limits = [1, 2, 3].map(() => new Deadline(Number.POSITIVE_INFINITY, controller.signal))
    const reads = limits.map((deadline) =>
      database.read((connection) => connection.runAndReadAll(ENDLESS), { deadline }),
    )
    controller.abort()
    await allTimeOut(reads)
    expect(await one()).toEqual([[1]])
  })

  it('does not wait longer than that for a connection', async () => {
    const controller = new AbortController()
    const busy = [1, 2].map(() =>
      database.read((connection) => connection.runAndReadAll(ENDLESS), {
        deadline: new Deadline(Number.POSITIVE_INFINITY, controller.signal),
      }),
    )
    await expect(one(new Deadline(SOON_MS))).rejects.toMatchObject(timeout)
    controller.abort()
    await allTimeOut(busy)
    expect(await one(new Deadline(60_000))).toEqual([[1]])
  })

  it('keeps the error of a statement that fails in time', async () => {
    const work = database.read((connection) => connection.run('SELECT nonsense'), { deadline: new Deadline(60_000) })
    await expect(work).rejects.toThrow('Binder Error')
  })
})

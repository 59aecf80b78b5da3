/** Look-ups of one turn: each has the rows that it would have found alone. */
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { engines, newDatabase, type TestDatabase } from '../../../../test/support/postgres/databases.ts'
import { StoreUnavailable } from '../../../lib/errors.ts'
import type { Connection } from '../connection.ts'
import { batchReads } from './batched-reads.ts'
import { rowTypes, runNamed } from './connections/clients.ts'

const PLANTS = 200
const text =
  'select id, name, height, is_tree from plants where kind = $1 and id >= $2 and height < $3 order by id desc'

describe.each(engines)('reads of one turn on $name', (postgres) => {
  let database: TestDatabase
  let pool: pg.Pool
  let read: Connection['runPrepared']
  const borrow = async () => {
    const client = await pool.connect()
    return { queries: client, giveBack: (isUsable: boolean) => client.release(!isUsable) }
  }
  beforeAll(async () => {
    database = await newDatabase(postgres)
    pool = new pg.Pool({ connectionString: database.url, types: rowTypes(pg.types) })
    await pool.query(`create table plants (id bigint primary key, kind text collate "C", name text, height float8,
      is_tree boolean, leaf bytea)`)
    await pool.query(
      `insert into plants select n, 'kind ' || n % 7, nullif('name ' || n, 'name 5'), n / 8.0, n % 2 = 0,
        decode(lpad(to_hex(n), 4, '0'), 'hex') from generate_series(1, $1) as n`,
      [PLANTS],
    )
    read = batchReads({ any: pool as unknown as pg.ClientBase, borrow })
  })
  afterEach(() => {
    vi.restoreAllMocks()
    vi.useRealTimers()
  })
  afterAll(async () => {
    await pool.end()
    await database.drop()
  })

  const alone = (statement: string, values: unknown[]) => runNamed<unknown>(pool, statement, values)
  /** How many statements the pool gets for these, and their answers. */
  const together = async (statement: string, asked: unknown[][]) => {
    const sent = vi.spyOn(pool, 'query')
    const found = await Promise.allSettled(asked.map((values) => read<unknown>(statement, values)))
    const statements = sent.mock.calls.length
    sent.mockRestore()
    return { found, rows: found.map((each) => (each.status === 'fulfilled' ? each.value : 'failed')), statements }
  }
  const any = (below: number) => Math.floor(Math.random() * below)

  it('find what they find alone, in the same order, thousands of them', async () => {
    const asked = Array.from({ length: 3_000 }, () => {
      const kinds = [`kind ${any(9)}`, null, 'kind \0', `{"a"}\\${any(5)}`]
      return [kinds[any(10)] ?? `kind ${any(7)}`, any(PLANTS), any(2) === 0 ? any(25) : Math.random() * 25]
    })
    const { rows, statements } = await together(text, asked)
    expect(statements).toBe(6)
    for (const [place, values] of asked.entries()) expect(rows[place]).toEqual(await alone(text, values))
    expect(rows.filter((each) => each.length > 1).length).toBeGreaterThan(100)
  })

  it('are a statement of their own when they are alone', async () => {
    const { rows, statements } = await together(text, [['kind 1', 1, 1.5]])
    expect(rows).toEqual([
      [expect.objectContaining({ id: 8, is_tree: 1 }), { id: 1, name: 'name 1', height: 0.125, is_tree: 0 }],
    ])
    expect(statements).toBe(1)
  })

  it('go together when they are asked for while others are under way', async () => {
    // None is ever slow.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const turn = () => new Promise(setImmediate)
    /** Each is answered when it is called. */
    const sent: (() => void)[] = []
    const query = (...args: [pg.QueryConfig]) => new Promise((resolve) => sent.push(() => resolve(pool.query(...args))))
    const held = batchReads({ any: { query } as unknown as pg.ClientBase, borrow })
    const asked = [held<unknown>(text, ['kind 1', 0, 1.5])]
    for (let count = 1; count <= 3; count++) {
      await turn()
      for (let n = 0; n < 10; n++) asked.push(held<unknown>(text, ['kind 1', n, 1.5]))
    }
    await turn()
    expect(sent).toHaveLength(1)
    sent[0]?.()
    while (sent.length < 2) await turn()
    sent[1]?.()
    const found = await Promise.all(asked)
    expect(sent).toHaveLength(2)
    for (const [n, rows] of found.entries())
      expect(rows).toEqual(await alone(text, ['kind 1', n === 0 ? 0 : (n - 1) % 10, 1.5]))
  })

  it('do not wait for one that is slow', async () => {
    const locking = 'select id, pg_advisory_xact_lock($2)::text as locked from plants where id = $1'
    const client = await pool.connect()
    await client.query('select pg_advisory_lock(1)')
    const ended: number[] = []
    const ask = async (id: number, lock: number) => {
      await read(locking, [id, lock])
      ended.push(id)
    }
    const first = ask(1, 1)
    await new Promise(setImmediate)
    await Promise.all([ask(2, 2), ask(3, 2)])
    expect(ended.sort()).toEqual([2, 3])
    await client.query('select pg_advisory_unlock(1)')
    client.release()
    await first
    expect(ended).toEqual([2, 3, 1])
  })

  it('of several statements do not mix', async () => {
    const other = 'select name from plants where id = $1'
    const asked = Array.from({ length: 50 }, (_, n) => n + 1)
    const found = await Promise.all(
      asked.flatMap((id) => [
        read(other, [id]),
        read('select leaf from plants where leaf = $1', [Buffer.from([0, id])]),
      ]),
    )
    expect(found).toEqual(
      asked.flatMap((id) => [[{ name: id === 5 ? null : `name ${id}` }], [{ leaf: Buffer.from([0, id]) }]]),
    )
  })

  it('fail by their own values only', async () => {
    const { found } = await together(text, [
      ['kind 1', 1, 1],
      ['kind 1', 1e30, 1],
      ['kind 1', 'x', 1],
      ['kind 2', 1, 1],
    ])
    expect(found.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
    expect(
      await together(text, [
        ['kind 1', 1, 1],
        ['kind 1', 1, 1],
      ]),
    ).toMatchObject({ statements: 1 })
  })

  it('fail when the statement does', async () => {
    const { rows } = await together('select nothing from plants where id = $1', [[1], [2]])
    expect(rows).toEqual(['failed', 'failed'])
  })

  it('are not asked again one by one while the store is away or busy', async () => {
    const query = vi.fn(() => Promise.reject(new StoreUnavailable('sql_busy')))
    const queries = { query } as unknown as pg.ClientBase
    const away = batchReads({ any: queries, borrow: async () => ({ queries, giveBack: () => {} }) })
    const asked = Array.from({ length: 50 }, (_, n) => away(text, [`kind ${n}`, n, n]))
    const found = await Promise.allSettled(asked)
    expect(found.map(({ status }) => status)).toEqual(asked.map(() => 'rejected'))
    expect(query).toHaveBeenCalledTimes(1)
  })

  it('run one by one where lists are not possible', async () => {
    const cases: [string, unknown[][]][] = [
      ['select id from plants where id = any($1::bigint[]) order by id', [[[1, 2]], [[3]], [[]]]],
      ['select count(*) as plants from plants', [[], [], []]],
    ]
    for (const [statement, asked] of cases) {
      const expected = await Promise.all(asked.map((values) => alone(statement, values)))
      for (let run = 0; run < 2; run++) expect((await together(statement, asked)).rows).toEqual(expected)
      expect((await together(statement, asked)).statements).toBe(asked.length)
    }
  })

  it('may have a limit of their own, and texts that look like values', async () => {
    const limited = "select id, '$1' as text from plants where name <> 'it''s $2' order by id desc limit $1"
    const { rows, statements } = await together(limited, [[1], [0], [3], [null]])
    expect(rows.map((each) => each.length)).toEqual([1, 0, 3, PLANTS - 1])
    expect(rows[2]).toEqual([200, 199, 198].map((id) => ({ id, text: '$1' })))
    expect(statements).toBe(1)
  })

  it('have a column that is named twice once, as alone', async () => {
    const twice = 'select id, name, name as id from plants where id = $1'
    const asked = [[1], [2], [5]]
    const expected = await Promise.all(asked.map((values) => alone(twice, values)))
    expect((await together(twice, asked)).rows).toEqual(expected)
  })
})

/** A server that stops, is killed, freezes or has no connection left, as the stores of a running process see it. */
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { engines, startServer } from '../../../../../test/support/postgres/databases.ts'
import { execute, type PostgresServer } from '../../../../../test/support/postgres/server.ts'
import { migrate } from '../../migrate.ts'
import { openPostgres, type PostgresEngine } from '../open-postgres.ts'

const AWAY = { kind: 'unavailable', reason: 'sql_away', retryAfterSeconds: 5 }
const BUSY = { kind: 'unavailable', reason: 'sql_busy', retryAfterSeconds: 1 }

describe.each(engines)('$name', (postgres) => {
  let server: PostgresServer
  let engine: PostgresEngine
  let told: string[]
  beforeEach(async () => {
    server = await startServer(postgres)
    told = []
    const presence = { away: () => void told.push('away'), back: () => void told.push('back') }
    engine = await openPostgres({ url: `${server.url}?pool=3`, scanLimitMs: 10_000, presence })
    await migrate(engine)
  })
  afterEach(async () => {
    await engine.close()
    await server.remove()
  })

  const read = () => engine.reader.db.selectFrom('secrets').select('name').orderBy('name').execute()
  const names = async () => (await read()).map(({ name }) => name)
  const write = (name: string, more: () => Promise<unknown> = async () => {}) =>
    engine.transact(async ({ db }) => {
      await db.insertInto('secrets').values({ name, value: '' }).execute()
      await more()
    })
  const scan = () => engine.scans.persons.count(1, { email: 'jo@example.com' })

  it.each(['kill', 'stop'] as const)('%s: readers, writers and scans are refused, then served again', async (end) => {
    await write('before')
    const cut = write('in between', () => server[end]())
    await expect(cut).rejects.toMatchObject(AWAY)
    await expect(read()).rejects.toMatchObject(AWAY)
    await expect(write('meanwhile')).rejects.toMatchObject(AWAY)
    await expect(scan()).rejects.toMatchObject(AWAY)
    expect(told).toEqual(['away'])
    await server.start()
    await write('after')
    expect(await names()).toEqual(['after', 'before'])
    expect(told).toEqual(['away', 'back'])
  })

  it('a transaction whose commit was not answered is not run again', async () => {
    let runs = 0
    const lost = engine.transact(async ({ db }) => {
      runs++
      await db.insertInto('secrets').values({ name: 'once', value: '' }).execute()
      // As if the connection were cut while the commit is on its way: the statement after this one is the commit.
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(db).catch(() => {})
    })
    await expect(lost).rejects.toMatchObject(AWAY)
    expect(runs).toBe(1)
    expect(await names()).toEqual([])
  })

  it('without a free connection a caller waits no longer than it may', async () => {
    const held: (() => void)[] = []
    const hold = (name: string) => write(name, () => new Promise<void>((end) => void held.push(end)))
    const holding = ['a', 'b', 'c'].map(hold)
    await expect.poll(() => held.length).toBe(3)
    await expect(read()).rejects.toMatchObject(BUSY)
    for (const end of held) end()
    await Promise.all(holding)
    expect(await names()).toEqual(['a', 'b', 'c'])
  })

  it('that refuses more connections is busy, not broken', async () => {
    await execute(server.adminUrl, ['ALTER ROLE hedgerow CONNECTION LIMIT 0'])
    await engine.close()
    await expect(openPostgres({ url: server.url, scanLimitMs: 1 })).rejects.toThrow('too many connections')
    await execute(server.adminUrl, ['ALTER ROLE hedgerow CONNECTION LIMIT -1'])
    engine = await openPostgres({ url: server.url, scanLimitMs: 10_000 })
  })

  it('a statement or a wait for a lock that takes too long ends, and its connection is used again', async () => {
    const limited = (setting: string, statement: string) =>
      engine.transact(async ({ db }) => {
        await sql.raw(`set local ${setting} = 20`).execute(db)
        await sql.raw(statement).execute(db)
      })
    await expect(limited('statement_timeout', 'select pg_sleep(60)')).rejects.toMatchObject(BUSY)
    const blocked = write('first', async () => {
      await expect(limited('lock_timeout', 'lock table secrets')).rejects.toMatchObject(BUSY)
    })
    await blocked
    expect(await names()).toEqual(['first'])
    expect(told).toEqual([])
  })
})

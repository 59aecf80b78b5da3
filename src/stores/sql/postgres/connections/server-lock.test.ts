/** A database has one server, or several that share everything. */
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { engines, newDatabase, type TestDatabase } from '../../../../../test/support/postgres/databases.ts'
import { execute } from '../../../../../test/support/postgres/server.ts'
import { migrate } from '../../migrate.ts'
import { LOCKS } from '../locks.ts'
import { openPostgres, type PostgresEngine } from '../open-postgres.ts'

const IN_USE = /^Another Hedgerow server uses this database, connected from 127\.0\.0\.1 since .+\. Stop it first/

describe.each(engines)('$name', (postgres) => {
  let database: TestDatabase
  let displaced: string[]
  const open: PostgresEngine[] = []
  beforeEach(async () => {
    database = await newDatabase(postgres)
    displaced = []
  })
  afterEach(async () => {
    for (const engine of open.splice(0)) await engine.close()
    await database.drop()
  })

  const serve = async (isShared = false) => {
    const told = (words: string) => void displaced.push(words)
    const engine = await openPostgres({ url: database.url, scanLimitMs: 10_000, displaced: told, isShared })
    open.push(engine)
    return engine
  }
  const close = async (engine: PostgresEngine) => {
    open.splice(open.indexOf(engine), 1)
    await engine.close()
  }
  const write = (engine: PostgresEngine, name: string) =>
    engine.transact(({ db }) => db.insertInto('secrets').values({ name, value: '' }).execute())
  const locks = () => `from pg_locks where locktype = 'advisory' and classid = ${LOCKS.server}
    and database = (select oid from pg_database where datname = '${new URL(database.url).pathname.slice(1)}')`
  /** Ends the connection that holds the lock. */
  const cutLock = () => execute(postgres.adminUrl, [`select pg_terminate_backend(pid, 5000) ${locks()} and granted`])
  const waiting = async (): Promise<number> => {
    const { rows } = await sql<{ count: number }>`select count(*) as count ${sql.raw(locks())} and not granted`.execute(
      open[0]?.reader.db as never,
    )
    return rows[0]?.count ?? 0
  }

  it('refuses a second one until the first has ended, and lets commands in', async () => {
    const first = await serve()
    await expect(serve()).rejects.toThrow(IN_USE)
    const command = await openPostgres({ url: database.url, scanLimitMs: 10_000 })
    await command.close()
    await close(first)
    await serve()
  })

  it('lets servers in together that share everything, and no other beside them', async () => {
    const shared = [await serve(true), await serve(true)]
    await expect(serve()).rejects.toThrow(IN_USE)
    for (const engine of shared) await close(engine)
    await serve()
    await expect(serve(true)).rejects.toThrow(IN_USE)
  })

  it('has servers that share everything write again when all their locks were cut', async () => {
    const shared = [await serve(true), await serve(true)]
    await migrate(shared[0] as PostgresEngine)
    await cutLock()
    for (const [place, engine] of shared.entries())
      await expect.poll(() => write(engine, `after ${place}`).then(() => 'stored', String)).toBe('stored')
    await expect(serve()).rejects.toThrow(IN_USE)
    expect(displaced).toEqual([])
  })

  it('takes the lock again when its connection was cut', async () => {
    const engine = await serve()
    await migrate(engine)
    await cutLock()
    await expect.poll(() => write(engine, 'after').then(() => 'stored', String)).toBe('stored')
    await expect(serve()).rejects.toThrow(IN_USE)
    expect(displaced).toEqual([])
  })

  it('writes nothing once another has taken its place, and says so', async () => {
    const first = await serve()
    await migrate(first)
    const other = new pg.Client(database.url)
    await other.connect()
    // Waits for its turn, and so has it as soon as the lock is free.
    const taken = other.query('select pg_advisory_lock($1, 0)', [LOCKS.server])
    await expect.poll(waiting).toBe(1)
    await cutLock()
    await taken
    await expect.poll(() => displaced.length).toBe(1)
    expect(displaced[0]).toMatch(IN_USE)
    await expect(write(first, 'by the first')).rejects.toMatchObject({ reason: 'sql_away' })
    await other.end()
  })
})

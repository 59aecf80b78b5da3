/** What a transaction on PostgreSQL does when the engine, or its own function, goes wrong. */
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { engines, newDatabase, type TestDatabase } from '../../../../test/support/postgres/databases.ts'
import { migrate } from '../migrate.ts'
import { openPostgres, type PostgresEngine } from './open-postgres.ts'

describe.each(engines)('$name', (postgres) => {
  let database: TestDatabase
  const opened: PostgresEngine[] = []
  const open = async () => {
    const engine = await openPostgres({ url: database.url, scanLimitMs: 10_000 })
    opened.push(engine)
    return engine
  }
  beforeEach(async () => {
    database = await newDatabase(postgres)
  })
  afterEach(async () => {
    for (const engine of opened.splice(0)) await engine.close()
    await database.drop()
  })

  const note = (engine: PostgresEngine, name: string, more: () => Promise<unknown> = async () => {}) =>
    engine.transact(async ({ db }) => {
      await db.insertInto('secrets').values({ name, value: '' }).execute()
      await more()
    })
  const noted = async ({ reader }: PostgresEngine) =>
    (await reader.db.selectFrom('secrets').select('name').orderBy('name').execute()).map(({ name }) => name)

  it('is migrated once by several that start at once', async () => {
    const all = await Promise.all([open(), open(), open()])
    const migrated = await Promise.all(all.map(migrate))
    expect(migrated.filter((steps) => steps.length > 0)).toHaveLength(1)
  })

  it('goes on after a connection was cut in the middle of a transaction', async () => {
    const engine = await open()
    await migrate(engine)
    const cut = engine.transact(async ({ db }) => {
      await db.insertInto('secrets').values({ name: 'lost', value: '' }).execute()
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
      // By another connection, while this one is idle.
      await sql`select pg_terminate_backend(${rows[0]?.pid}::int)`.execute(engine.reader.db)
      await db.selectFrom('secrets').selectAll().execute()
    })
    await expect(cut).rejects.toThrow()
    await note(engine, 'stored')
    expect(await noted(engine)).toEqual(['stored'])
  })

  it('says that nothing is stored when a statement has failed, whoever caught its error', async () => {
    const engine = await open()
    await migrate(engine)
    const caught = engine.transact(async ({ db }) => {
      await db.insertInto('secrets').values({ name: 'lost', value: '' }).execute()
      await sql`select nonsense`.execute(db).catch(() => undefined)
    })
    await expect(caught).rejects.toThrow('nothing of it is stored')
    await note(engine, 'stored')
    expect(await noted(engine)).toEqual(['stored'])
  })

  it('gives every connection back, whatever its transaction did', async () => {
    const engine = await open()
    await migrate(engine)
    const failing = () => Promise.reject(new Error('no'))
    const attempts = Array.from({ length: 50 }, (_, n) => note(engine, `note ${n % 25}`, n % 2 ? failing : undefined))
    await Promise.allSettled(attempts)
    await note(engine, 'last')
    expect(await noted(engine)).toContain('last')
  })
})

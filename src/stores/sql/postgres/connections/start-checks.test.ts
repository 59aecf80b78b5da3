/** What PostgreSQL has to be like, and what is said when it is not. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { engines, newDatabase, type TestDatabase } from '../../../../../test/support/postgres/databases.ts'
import { startPooler } from '../../../../../test/support/postgres/pooler.ts'
import { execute } from '../../../../../test/support/postgres/server.ts'
import { OperatorError } from '../../../../lib/errors.ts'
import { migrate } from '../../migrate.ts'
import { openPostgres } from '../open-postgres.ts'
import { problemWith, type ServerFacts } from './start-checks.ts'

const GOOD: ServerFacts = {
  number: 150_004,
  version: '15.4',
  encoding: 'UTF8',
  is_standby: 0,
  role: 'hedgerow',
  database: 'data',
  schema: 'public',
  may_create: 1,
  owner: null,
  owns: null,
}

it.each<[Partial<ServerFacts>, string | null]>([
  [{}, null],
  [{ owner: 'hedgerow', owns: 1 }, null],
  [{ number: 140_009, version: '14.9' }, 'PostgreSQL 14.9 is too old. Hedgerow needs 15 or newer.'],
  [{ is_standby: 1 }, 'The PostgreSQL server is a standby, which takes no writes. Name the primary.'],
  [
    { schema: null, may_create: null },
    'The role hedgerow has no schema in the database data. Make one, or set its search_path.',
  ],
])('%o: %s', (facts, problem) => {
  expect(problemWith({ ...GOOD, ...facts })).toBe(problem)
})

describe.each(engines)('$name', (postgres) => {
  let database: TestDatabase
  const ends: (() => Promise<void>)[] = []
  beforeEach(async () => {
    database = await newDatabase(postgres)
    ends.push(() => database.drop())
  })
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })

  /** Of the test's database, as the superuser. */
  const asAdmin = (url = database.url) => {
    const admin = new URL(postgres.adminUrl)
    admin.pathname = new URL(url).pathname
    return admin.href
  }
  const opened = async (url = database.url, more = {}) => {
    const engine = await openPostgres({ url, scanLimitMs: 10_000, ...more })
    ends.push(() => engine.close())
    return engine
  }

  it('refuses a schema that it may not write to', async () => {
    await execute(asAdmin(), ['revoke all on schema public from public', 'alter schema public owner to postgres'])
    await expect(opened()).rejects.toThrow(/^The role hedgerow (?:may not create tables|has no schema) in the/)
  })

  it("refuses another role's tables", async () => {
    await execute(asAdmin(), ['create table public.schema_migrations (name text)'])
    await expect(opened()).rejects.toThrow(
      'The tables in the schema public belong to the role postgres, not to hedgerow.',
    )
  })

  it('refuses an encoding that cannot hold every text', async () => {
    const url = `${database.url}_ascii`
    const name = new URL(url).pathname.slice(1)
    const locale = "encoding 'SQL_ASCII' locale 'C' template template0"
    await execute(postgres.adminUrl, [`create database ${name} owner hedgerow ${locale}`])
    ends.push(() => execute(postgres.adminUrl, [`drop database ${name} with (force)`]))
    await expect(opened(url)).rejects.toThrow(`The database ${name} has the encoding SQL_ASCII.`)
  })

  it('refuses a pooler that changes connections between transactions', async () => {
    const pooler = await startPooler(database.url, 'transaction')
    ends.push(() => pooler.close())
    const refused = opened(pooler.url)
    await expect(refused).rejects.toBeInstanceOf(OperatorError)
    await expect(refused).rejects.toThrow('Use pool_mode=session, or connect to PostgreSQL itself.')
  })

  it('works through a pooler that does not', async () => {
    const pooler = await startPooler(database.url, 'session')
    ends.push(() => pooler.close())
    const engine = await opened(pooler.url, { displaced: () => {} })
    expect(await migrate(engine)).not.toHaveLength(0)
    expect(await engine.reader.db.selectFrom('secrets').selectAll().execute()).toEqual([])
  })
})

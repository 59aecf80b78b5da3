/** The PostgreSQL servers that tests get. */
import pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { migrate } from '../../src/stores/sql/migrate.ts'
import { openPostgres } from '../../src/stores/sql/postgres/open-postgres.ts'
import { engines, newDatabase, newMigrated, startServer } from '../support/postgres/databases.ts'

const ends: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  // A server that is killed ends the connection.
  client.on('error', () => {})
  await client.connect()
  ends.push(() => client.end())
  return client
}

async function database(engine: (typeof engines)[number]) {
  const made = await newDatabase(engine)
  ends.push(() => made.drop())
  return made
}

const asks = async (client: pg.Client, text: string) => (await client.query(text)).rows

const TABLES = "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace"

/** All rows and sequences, but for the id of the installation and when its tables were made. */
async function contentOf(url: string): Promise<Record<string, unknown>> {
  const client = await connect(url)
  const rows: Record<string, unknown> = {}
  const named = `${TABLES} AND relkind`
  for (const { relname } of await asks(client, `${named} IN ('r', 'p')`))
    rows[relname] = await asks(client, `SELECT * FROM ${relname}`)
  for (const { relname } of await asks(client, `${named} = 'S'`))
    rows[relname] = await asks(client, `SELECT last_value, is_called FROM ${relname}`)
  rows.installation = (rows.installation as object[]).map((row) => ({ ...row, id: 'its own' }))
  return rows
}

it('are of the version that npm installs, and of Debian, which may be missing unless CI is true', () => {
  expect(engines[0]?.name).toBe('PostgreSQL 18.4')
  expect(engines.length).toBeGreaterThanOrEqual(process.env.CI === 'true' ? 2 : 1)
})

describe.each(engines)('$name', (engine) => {
  it('is what it says', async () => {
    const client = await connect(engine.url)
    const [{ server_version }] = await asks(client, 'SHOW server_version')
    expect(`PostgreSQL ${server_version.split(' ')[0]}`).toBe(engine.name)
  })

  it('gives an empty database to a role that is no superuser', async () => {
    const client = await connect((await database(engine)).url)
    expect(await asks(client, TABLES)).toEqual([])
    expect(
      await asks(client, 'SELECT rolname, rolsuper, rolcreatedb FROM pg_roles WHERE rolname = current_user'),
    ).toEqual([{ rolname: 'hedgerow', rolsuper: false, rolcreatedb: true }])
    const [shown] = await asks(
      client,
      `SELECT pg_encoding_to_char(encoding) AS encoding, datcollate AS locale, current_setting('timezone') AS zone,
        current_setting('max_connections') AS connections FROM pg_database WHERE datname = current_database()`,
    )
    expect(shown).toEqual({ encoding: 'UTF8', locale: 'C', zone: 'UTC', connections: '200' })
  })

  it('gives two at once, apart from each other', async () => {
    const [one, two] = await Promise.all([database(engine), database(engine)])
    const [first, second] = [await connect(one.url), await connect(two.url)]
    await first.query('CREATE TABLE notes (text text)')
    expect(await asks(first, TABLES)).toEqual([{ relname: 'notes' }])
    expect(await asks(second, TABLES)).toEqual([])
  })

  it('drops one with an open connection', async () => {
    const { url, drop } = await newDatabase(engine)
    const client = await connect(url)
    await client.query('CREATE TABLE notes (text text)')
    await drop()
    await expect(client.query('SELECT 1')).rejects.toThrow()
    await expect(connect(url)).rejects.toThrow(/does not exist/)
  })

  it('gives a migrated one that was put back as if it had just been migrated', async () => {
    const own = await database(engine)
    const opened = await openPostgres({ url: own.url, scanLimitMs: 10_000 })
    await migrate(opened)
    await opened.close()
    const anew = await contentOf(own.url)

    const used = await newMigrated(engine)
    const client = await connect(used.url)
    await client.query("INSERT INTO organizations (id, name, created_at) VALUES ('o', 'Ours', 0)")
    await client.query(`UPDATE installation SET starts = 7; SELECT nextval('seq'); DELETE FROM sequences`)
    expect(await contentOf(used.url)).not.toEqual(anew)
    await used.putBack()
    await expect(client.query('SELECT 1')).rejects.toThrow()
    const again = await newMigrated(engine)
    ends.push(() => again.putBack())
    expect(again.url).toBe(used.url)
    expect(await contentOf(again.url)).toEqual(anew)
  })

  it('comes back on the same port with its committed rows, killed or stopped', async () => {
    const server = await startServer(engine)
    ends.push(() => server.remove())
    const before = await connect(server.url)
    expect(await asks(before, 'SHOW fsync')).toEqual([{ fsync: 'on' }])
    await before.query("CREATE TABLE notes (text text); INSERT INTO notes VALUES ('kept')")
    await before.query("BEGIN; INSERT INTO notes VALUES ('lost')")
    await server.kill()
    await expect(connect(server.url)).rejects.toThrow(/ECONNREFUSED/)
    await server.start()
    const between = await connect(server.url)
    expect(await asks(between, 'SELECT text FROM notes')).toEqual([{ text: 'kept' }])
    await server.stop()
    await expect(connect(server.url)).rejects.toThrow(/ECONNREFUSED/)
    await server.start()
    expect(await asks(await connect(server.url), 'SELECT text FROM notes')).toEqual([{ text: 'kept' }])
  })
})

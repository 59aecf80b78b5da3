/** What a test gets of PostgreSQL: an empty database of its own, or a server of its own. */
import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import type { PostgresEngine } from './run.ts'
import { execute, makeFolder, type PostgresServer, startPostgres, withClient } from './server.ts'
import { TEMPLATE } from './template.ts'

/** Every PostgreSQL that this run has, the one from npm first. */
export const engines: readonly PostgresEngine[] = inject('postgresEngines')

function firstEngine(): PostgresEngine {
  const [first] = engines
  if (!first) throw new Error('There is no PostgreSQL for this machine.')
  return first
}

export interface TestDatabase {
  /** Its owner's: a role that is no superuser. */
  url: string
  /** As the superuser. */
  adminUrl: string
  /** Also with connections that are still open. */
  drop(): Promise<void>
  /** What is in it, while nobody is connected to it. */
  copy(): Promise<TestDatabase>
  /** Instead of `drop`, so that it is used again: when all who used it are done with it and none has changed its schema. */
  putBack?(): Promise<void>
  /** Where nobody else has one on the server: kills it and starts it again. */
  kill?(): Promise<void>
}

async function copyOf(template: string, engine: PostgresEngine): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`
  const url = new URL(engine.url)
  const adminUrl = new URL(engine.adminUrl)
  const owner = url.username
  url.pathname = `/${name}`
  adminUrl.pathname = url.pathname
  await execute(engine.adminUrl, [`CREATE DATABASE ${name} OWNER ${owner} TEMPLATE ${template} STRATEGY FILE_COPY`])
  return {
    url: url.href,
    adminUrl: adminUrl.href,
    drop: () => execute(engine.adminUrl, [`DROP DATABASE ${name} WITH (FORCE)`]),
    copy: () => copyOf(name, engine),
  }
}

export const newDatabase = (engine = firstEngine()): Promise<TestDatabase> => copyOf('template0', engine)

type MigratedDatabase = TestDatabase & { putBack(): Promise<void> }

/** By engine: migrated ones that were put back. */
const unused = new Map<string, TestDatabase[]>()

/** Others are quicker made anew. */
const MOST_BYTES = 64 * 1024 ** 2

/** False when there is too much in it. */
const empty = ({ adminUrl }: TestDatabase, { emptying }: PostgresEngine): Promise<boolean> =>
  withClient(adminUrl, async (client) => {
    const size = 'SELECT pg_database_size(current_database()) AS bytes'
    if (Number((await client.query<{ bytes: string }>(size)).rows[0]?.bytes) > MOST_BYTES) return false
    await client.query(
      'SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    )
    await client.query(emptying)
    return true
  })

/** One that has the newest schema, and an id of its own, as if it had been migrated by itself. */
export async function newMigrated(engine = firstEngine()): Promise<MigratedDatabase> {
  const left = unused.get(engine.url) ?? []
  unused.set(engine.url, left)
  const database = left.pop() ?? (await copyOf(TEMPLATE, engine))
  await execute(database.url, ['UPDATE installation SET id = gen_random_uuid()'])
  return {
    ...database,
    async putBack() {
      if (await empty(database, engine)) left.push(database)
      else await database.drop()
    },
  }
}

/** For tests that stop or kill it. What it has committed is on disk. */
export const startServer = ({ home } = firstEngine()): Promise<PostgresServer> =>
  startPostgres({ home, folder: makeFolder(inject('postgresFolder')), isDurable: true })

/** An empty one, on a server of its own. */
export async function newServer(): Promise<TestDatabase> {
  const server = await startServer()
  const adminUrl = new URL(server.adminUrl)
  adminUrl.pathname = new URL(server.url).pathname
  return {
    url: server.url,
    adminUrl: adminUrl.href,
    drop: () => server.remove(),
    copy: () => Promise.reject(new Error('A server of its own is not copied.')),
    async kill() {
      await server.kill()
      await server.start()
    },
  }
}

/** What a test gets of PostgreSQL: an empty database of its own, or a server of its own. */
import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import type { PostgresEngine } from './run.ts'
import { execute, makeFolder, type PostgresServer, startPostgres } from './server.ts'

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
  /** Also with connections that are still open. */
  drop(): Promise<void>
}

export async function newDatabase(engine = firstEngine()): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`
  const url = new URL(engine.url)
  const owner = url.username
  url.pathname = `/${name}`
  await execute(engine.adminUrl, [`CREATE DATABASE ${name} OWNER ${owner} TEMPLATE template0 STRATEGY FILE_COPY`])
  return {
    url: url.href,
    drop: () => execute(engine.adminUrl, [`DROP DATABASE ${name} WITH (FORCE)`]),
  }
}

/** For tests that stop or kill it. What it has committed is on disk. */
export const startServer = ({ home } = firstEngine()): Promise<PostgresServer> =>
  startPostgres({ home, folder: makeFolder(inject('postgresFolder')), isDurable: true })

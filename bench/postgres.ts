/**
 * The server on PostgreSQL, compared with a bare one. PostgreSQL is the one that tests use, on the same cores, and what
 * it has committed is on disk.
 */
import pg from 'pg'
import { personUuid } from '../src/rules/persons/identity.ts'
import { copyOfNpm } from '../test/support/postgres/binaries.ts'
import { giveAway, makeFolder, startPostgres } from '../test/support/postgres/server.ts'
import { measureEvents } from './capture.ts'
import { startServerOn } from './child.ts'
import type { Figure } from './figure.ts'
import { measurePersons, PERSONS } from './person-throughput.ts'
import { openApp, PROJECT, propertiesOf } from './seed.ts'
import { tempFolder } from './temp-folder.ts'

/** Runs `work` with an empty database. */
async function onPostgres<T>(work: (url: string) => Promise<T>): Promise<T> {
  const programs = makeFolder()
  try {
    const installed = copyOfNpm(programs.path)
    if (!installed) throw new Error('npm has no PostgreSQL for this machine.')
    giveAway(programs.path)
    const folder = makeFolder(programs.path)
    const { url } = await startPostgres({ home: installed.home, folder, isDurable: true })
    return await work(url)
  } finally {
    await programs.remove()
  }
}

/** As `seedPersons` does: PERSONS persons with ids from 1, each with one distinct id. */
async function seedPersonsOn(url: string, dataDir: string): Promise<void> {
  const app = await openApp(dataDir, { HEDGEROW_SQL_URL: url })
  await app.close()
  const numbers = Array.from({ length: PERSONS }, (_, i) => i + 1)
  const uuids = numbers.map((n) => personUuid(PROJECT, `user-${n}`))
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(
      `insert into persons (project_id, uuid, properties, is_identified, created_at, updated_at)
        select ${PROJECT}, uuid, properties, 1, 1, 1 from unnest($1::text[], $2::text[]) as given(uuid, properties)`,
      [uuids, numbers.map(propertiesOf)],
    )
    await client.query(`insert into distinct_ids (project_id, distinct_id, person_id)
      select project_id, 'user-' || id, id from persons order by id`)
    await client.query('analyze')
  } finally {
    await client.end()
  }
}

export const postgresPersons: Figure = {
  name: 'PostgreSQL: GET person over bare node:http',
  bar: { atLeast: 0.45 },
  measure: (say) =>
    onPostgres(async (url) => {
      const dataDir = tempFolder()
      await seedPersonsOn(url, dataDir)
      return measurePersons(await startServerOn(url, dataDir), say)
    }),
}

export const postgresEvents: Figure = {
  name: 'PostgreSQL: POST /i/v0/e/ over bare node:http',
  bar: { atLeast: 0.25 },
  measure: (say) => onPostgres(async (url) => measureEvents(await startServerOn(url, tempFolder()), say)),
}

/** A second server on one database, and a server whose place was taken. */
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { LOCKS } from '../../../src/stores/sql/postgres/locks.ts'
import { engines, newDatabase, type TestDatabase } from '../../support/postgres/databases.ts'
import { execute } from '../../support/postgres/server.ts'
import { run, start, useFolder } from '../../support/program.ts'

const folder = useFolder()
const IN_USE = 'Another Hedgerow server uses this database, connected from 127.0.0.1 since '

let database: TestDatabase
beforeEach(async () => {
  database = await newDatabase()
})
afterEach(() => database.drop())

const env = () => ({ HEDGEROW_SQL_URL: database.url, HEDGEROW_PORT: '0' })

it('is refused with a sentence', async () => {
  await start(join(folder(), 'one'), { env: env() })
  const second = await run(['serve'], { env: { ...env(), HEDGEROW_DATA_DIR: join(folder(), 'two') } })
  expect([second.code, second.stdout]).toEqual([1, ''])
  expect(second.stderr).toMatch(new RegExp(`^hedgerow: ${IN_USE}.+\n$`))
})

it('ends with exit code 1 when another has taken its place', async () => {
  const server = await start(join(folder(), 'one'), { env: env() })
  const ended = new Promise((resolve) => server.child.once('exit', resolve))
  const other = new pg.Client(database.url)
  await other.connect()
  const taken = other.query('select pg_advisory_lock($1, 0)', [LOCKS.server])
  const held = `select pg_terminate_backend(pid, 5000) from pg_locks where locktype = 'advisory'
    and classid = ${LOCKS.server} and granted and exists (select 1 from pg_locks where locktype = 'advisory'
    and classid = ${LOCKS.server} and not granted)`
  const adminUrl = engines[0]?.adminUrl ?? ''
  const look = setInterval(() => void execute(adminUrl, [held]).catch(() => {}), 200)
  await taken
  clearInterval(look)
  expect(await ended).toBe(1)
  expect(server.stderr()).toContain(IN_USE)
  await other.end()
})

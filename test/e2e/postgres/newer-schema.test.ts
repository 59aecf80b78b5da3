/** A server goes on while a newer version, started beside it, adds to the tables: so an upgrade needs no stop. */
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openPostgres } from '../../../src/stores/sql/postgres/open-postgres.ts'
import { engines, newDatabase, type TestDatabase } from '../../support/postgres/databases.ts'
import { withClient } from '../../support/postgres/server.ts'
import { type Running, start, useFolder } from '../../support/program.ts'

const KEY = 'phx_e2e_key_0123456789abcdef'
const TOKEN = 'phc_e2e_token_0123456789'
const folder = useFolder()
const ROUNDS = 40

describe.each(engines)('$name', (engine) => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await newDatabase(engine)
  })
  afterEach(() => database.drop())

  const env = () => ({ HEDGEROW_SQL_URL: database.url, HEDGEROW_API_KEY: KEY, HEDGEROW_PROJECT_TOKEN: TOKEN })

  /** All that a migration may do, to every table at once. */
  async function addToTables(): Promise<void> {
    const tables = await withClient(database.adminUrl, async (client) => {
      const { rows } = await client.query<{ name: string }>(
        `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace
          AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY relname`,
      )
      return rows.map(({ name }) => name)
    })
    expect(tables.length).toBeGreaterThan(30)
    const changes = [
      'CREATE TABLE from_later (id bigint primary key)',
      ...tables.map(
        (name) => `ALTER TABLE ${name} ADD COLUMN from_later bigint NOT NULL DEFAULT 0, ADD COLUMN words text`,
      ),
      `INSERT INTO schema_migrations (name) VALUES ('9999-from-later')`,
    ]
    const newer = await openPostgres({ url: database.url, scanLimitMs: 10_000 })
    await newer.transact(async ({ db }) => {
      for (const change of changes) await sql.raw(change).execute(db)
    }, 'migration')
    await newer.close()
  }

  /** Of each kind of request one, and what was answered. */
  async function askOnce({ url }: Running, id: string): Promise<(string | number)[][]> {
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
    const answers: (string | number)[][] = []
    const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
      const answer = await fetch(url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
      const text = await answer.text()
      answers.push([method, path, answer.status, ...(answer.ok ? [] : [text])])
      return answer.ok && text.startsWith('{') ? JSON.parse(text) : {}
    }
    const capture = [{ event: 'seen', distinct_id: id, properties: { $set: { plan: 'free' } } }]
    await ask('POST', '/batch/', { api_key: TOKEN, batch: capture })
    const api = '/api/environments/1'
    const { results: [person] = [] } = (await ask('GET', `${api}/persons/?distinct_id=${id}`)) as {
      results?: { uuid: string }[]
    }
    await ask('GET', `${api}/persons/${person?.uuid}/`)
    await ask('PATCH', `${api}/persons/${person?.uuid}/`, { properties: { plan: 'team' } })
    await ask('GET', `${api}/persons/${person?.uuid}/activity/`)
    await ask('GET', '/api/users/@me/')
    await ask('GET', `${api}/session_recordings/`)
    await ask('GET', `${api}/subscriptions/`)
    await ask('GET', `${api}/dashboards/`)
    await ask('GET', `${api}/insights/`)
    return answers
  }

  async function ask(server: Running, words: string): Promise<(string | number)[][]> {
    const all = await Promise.all(Array.from({ length: ROUNDS }, (_, n) => askOnce(server, `${words}-${n}`)))
    return all.flat()
  }
  const notOk = (answers: (string | number)[][]) => answers.filter(([, , status]) => status !== 200)

  it('answers everything before, meanwhile and afterwards, and loses nothing', async () => {
    const server = await start(`${folder()}/old`, { env: env() })
    expect(notOk(await ask(server, 'before'))).toEqual([])
    const [meanwhile] = await Promise.all([ask(server, 'meanwhile'), addToTables()])
    expect([notOk(meanwhile), server.stderr()]).toEqual([[], expect.not.stringMatching(/"level":[456]0/)])
    expect(notOk(await ask(server, 'after'))).toEqual([])
    const headers = { authorization: `Bearer ${KEY}` }
    const answer = await fetch(`${server.url}/api/environments/1/persons/?limit=1`, { headers })
    expect(await answer.json()).toMatchObject({ count: 3 * ROUNDS })
    expect(server.stderr()).not.toMatch(/"level":[456]0/)
  })
})

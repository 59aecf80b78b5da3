/** The commands of the operator on PostgreSQL, beside a server and without one. */
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { engines, newDatabase, type TestDatabase } from '../../support/postgres/databases.ts'
import { execute } from '../../support/postgres/server.ts'
import { run, start, useFolder } from '../../support/program.ts'

const folder = useFolder()

describe.each(engines)('$name', (engine) => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await newDatabase(engine)
  })
  afterEach(() => database.drop())

  const env = (more = {}) => ({
    HEDGEROW_SQL_URL: database.url,
    HEDGEROW_DATA_DIR: join(folder(), 'data'),
    HEDGEROW_PORT: '0',
    ...more,
  })
  const command = (line: string, more = {}) => run(line.split(' '), { env: env(more) })
  /** What the doctor says, by name. */
  const findings = async (more = {}): Promise<Record<string, string>> => {
    const { stdout } = await command('doctor --json', more)
    const report = JSON.parse(stdout) as { findings: { name: string; state: string; words: string }[] }
    return Object.fromEntries(report.findings.map(({ name, state, words }) => [name, `${state}: ${words}`]))
  }

  it('work beside a running server', async () => {
    await start(join(folder(), 'data'), { env: { HEDGEROW_SQL_URL: database.url } })
    const lines = [
      'users create --email jo@example.com',
      'keys list',
      'jobs list',
      'outbox list',
      'deletions run --project 1',
    ]
    for (const line of lines) {
      const { code, stderr } = await command(line)
      expect([line, code, stderr]).toEqual([line, 0, ''])
    }
  })

  it('say that all is well while it is', async () => {
    await start(join(folder(), 'data'), { env: { HEDGEROW_SQL_URL: database.url } })
    const found = await findings()
    expect(found.database).toMatch(
      new RegExp(
        `^ok: ${engine.name}.*, UTF8, collation C; hedgerow may create tables in public; it answers in [\\d.]+ ms$`,
      ),
    )
    expect(found['db pool']).toMatch(/^ok: \d+ are left, and we have [1-9]\d* of at most 12$/)
    expect(found['db clock']).toMatch(/^ok: its clock is \d+\.\d\d s (?:ahead of|behind) ours$/)
    expect(found.stores).toBe('ok: PostgreSQL; DuckDB and files in the data folder')
    expect(Object.values(found).filter((words) => words.startsWith('fail'))).toEqual([])
  })

  it('make no store where there is none', async () => {
    const words = 'There is no store in the database. Is HEDGEROW_SQL_URL right?'
    expect(await command('users list')).toMatchObject({ code: 1, stderr: expect.stringContaining(words) })
    expect((await command('migrate')).stdout).toMatch(/^Applied 0001/)
    expect((await command('users list')).code).toBe(0)
  })

  it('refuse backups, and say how they are made', async () => {
    const words = 'hedgerow: With HEDGEROW_SQL_URL a backup is a dump of the database and a copy of the data folder'
    for (const line of [`backup ${folder()}/backup`, `restore ${folder()}/backup`]) {
      const { code, stderr } = await command(line)
      expect([line, code, stderr]).toEqual([line, 1, expect.stringContaining(words)])
    }
  })

  it('say what is wrong with the server, without its password', async () => {
    const gone = new URL(database.url)
    gone.port = '1'
    const away = { HEDGEROW_SQL_URL: gone.href }
    expect((await findings(away)).database).toBe('fail: PostgreSQL cannot be used: connect ECONNREFUSED 127.0.0.1:1.')
    const { code, stderr } = await command('serve', away)
    expect([code, stderr]).toEqual([1, 'hedgerow: PostgreSQL cannot be used: connect ECONNREFUSED 127.0.0.1:1.\n'])
    const name = new URL(database.url).pathname.slice(1)
    await command('migrate')
    await execute(engine.adminUrl, [`alter database ${name} connection limit 5`])
    expect((await findings())['db pool']).toMatch(
      /^warn: \d are left, and we have 0 of at most 12\. Raise max_connections/,
    )
  })
})

/** Which server is believed: by its certificate, made for tests (test/fixtures/certificates). */
import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines, startServer } from '../../../../../test/support/postgres/databases.ts'
import { execute, type PostgresServer } from '../../../../../test/support/postgres/server.ts'
import { openPostgres } from '../open-postgres.ts'

const FOLDER = new URL('../../../../../test/fixtures/certificates/', import.meta.url).pathname
const AUTHORITY = `sslrootcert=${FOLDER}authority.crt`

/** Written by the server itself: it takes a key only from files of its own user. */
const write = (file: string, from: string) => {
  const bytes = readFileSync(FOLDER + from).toString('base64')
  return `COPY (SELECT '${bytes}') TO PROGRAM 'umask 077; base64 -d > ${file}'`
}

describe.each(engines)('$name', (postgres) => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startServer(postgres)
  })
  afterAll(() => server.remove())

  const showing = (name: string) =>
    execute(server.adminUrl, [
      write('server.crt', `${name}.crt`),
      write('server.key', `${name}.key`),
      write('root.crt', 'authority.crt'),
      "ALTER SYSTEM SET ssl_ca_file = 'root.crt'",
      'ALTER SYSTEM SET ssl = on',
      'SELECT pg_reload_conf()',
    ])
  const opening = (parameters: string) => openPostgres({ url: `${server.url}?${parameters}`, scanLimitMs: 10_000 })
  const opens = async (parameters: string): Promise<boolean> => {
    const engine = await opening(parameters)
    await engine.close()
    return true
  }

  it('without a certificate is refused where one is asked for', async () => {
    await expect(opening('sslmode=require')).rejects.toThrow('does not support SSL')
  })

  it('with a certificate for its address is believed by whoever knows the authority', async () => {
    await showing('here')
    await expect.poll(() => opens(`sslmode=verify-full&${AUTHORITY}`).catch(() => false)).toBe(true)
    await expect(opening('sslmode=verify-full')).rejects.toThrow(/certificate/)
    await expect(opening('sslmode=verify-ca')).rejects.toThrow(/certificate/)
    expect(await opens('sslmode=require')).toBe(true)
    expect(await opens('sslmode=disable')).toBe(true)
  })

  it("with another's certificate is believed only where the name does not count", async () => {
    await showing('elsewhere')
    await expect
      .poll(() => opens(`sslmode=verify-full&${AUTHORITY}`).catch((error: Error) => error.message))
      .toMatch(/does not match certificate/)
    expect(await opens(`sslmode=verify-ca&${AUTHORITY}`)).toBe(true)
    expect(await opens('sslmode=require')).toBe(true)
  })

  it('is shown a certificate of ours', async () => {
    const own = `sslcert=${FOLDER}hedgerow.crt&sslkey=${FOLDER}hedgerow.key`
    const engine = await opening(`sslmode=verify-ca&${AUTHORITY}&${own}`)
    const { rows } = await sql`select client_dn from pg_stat_ssl where pid = pg_backend_pid()`.execute(engine.reader.db)
    await engine.close()
    expect(rows).toEqual([{ client_dn: '/CN=hedgerow' }])
  })
})

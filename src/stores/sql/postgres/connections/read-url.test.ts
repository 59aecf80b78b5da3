import { expect, it } from 'vitest'
import { readPostgresUrl } from './read-url.ts'

const CERTIFICATES = new URL('../../../../../test/fixtures/certificates/', import.meta.url).pathname
const PASSWORD = 'secret-word'

it('reads what a connection needs', () => {
  expect(readPostgresUrl('postgres://us%40er:p%25a%2Fss@db.example.com:6432/our%20data?pool=25')).toMatchObject({
    host: 'db.example.com',
    port: 6432,
    user: 'us@er',
    password: 'p%a/ss',
    database: 'our data',
    pool: 25,
  })
  expect(readPostgresUrl('postgresql://user@localhost/data')).toMatchObject({
    port: 5432,
    pool: 10,
    password: undefined,
  })
  expect(readPostgresUrl('postgres://user@[::1]/data').host).toBe('::1')
})

it('takes a socket for what it is', () => {
  const socket = { host: '/run/postgresql', ssl: false, user: 'user' }
  expect(readPostgresUrl('postgres://user:word@%2Frun%2Fpostgresql/data')).toMatchObject(socket)
})

it.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.8.9.1', '[::1]', '%2Ftmp'])(
  'asks %s for no certificate',
  (host) => {
    expect(readPostgresUrl(`postgres://user@${host}/data`).ssl).toBe(false)
  },
)

it.each(['db.example.com', '10.0.0.1', 'localhost.example.com', '[fe80::1]', '128.0.0.1'])(
  'believes %s by its certificate only, unless told otherwise',
  (host) => {
    const ssl = (more = '') => readPostgresUrl(`postgres://user@${host}/data${more}`).ssl
    expect(ssl()).toEqual({ rejectUnauthorized: true })
    expect(ssl('?sslmode=verify-full')).toEqual({ rejectUnauthorized: true })
    expect(ssl('?sslmode=verify-ca')).toEqual({ rejectUnauthorized: true, checkServerIdentity: expect.any(Function) })
    expect(ssl('?sslmode=require')).toEqual({ rejectUnauthorized: false })
    expect(ssl('?sslmode=disable')).toBe(false)
  },
)

it('reads certificates from the files that are named', () => {
  const files = `sslrootcert=${CERTIFICATES}authority.crt&sslcert=${CERTIFICATES}hedgerow.crt&sslkey=${CERTIFICATES}hedgerow.key`
  const { ssl } = readPostgresUrl(`postgres://user@db.example.com/data?${files}`)
  expect(ssl).toMatchObject({
    ca: expect.stringContaining('BEGIN CERTIFICATE'),
    cert: expect.stringContaining('BEGIN CERTIFICATE'),
    key: expect.stringContaining('BEGIN PRIVATE KEY'),
    rejectUnauthorized: true,
  })
  // As libpq does.
  const required = `postgres://user@db.example.com/data?sslmode=require&sslrootcert=${CERTIFICATES}authority.crt`
  expect(readPostgresUrl(required).ssl).toMatchObject({ rejectUnauthorized: true })
})

it.each([
  ['?pool=2', 'has a pool that is not between 3 and 100'],
  ['?pool=101', 'has a pool that is not between 3 and 100'],
  ['?pool=many', 'has a pool that is not between 3 and 100'],
  ['?sslmode=prefer', 'has an sslmode that is none of disable, require, verify-ca, verify-full'],
  ['?sslmode=disable&sslmode=require', 'has the parameter sslmode twice'],
  ['?max=10', 'has the parameter max, but only pool, sslmode, sslrootcert, sslcert, sslkey are known'],
  ['?sslrootcert=/does/not/exist', 'names a file as sslrootcert that cannot be read (ENOENT)'],
  [`?sslcert=${CERTIFICATES}hedgerow.crt`, 'must have both sslcert and sslkey, or neither'],
  [`?sslmode=disable&sslrootcert=${CERTIFICATES}authority.crt`, 'has certificates, but sslmode is disable'],
  ['/more', 'must end with the name of one database'],
])('refuses %s', (end, sentence) => {
  const url = `postgres://user:${PASSWORD}@db.example.com/data${end}`
  expect(() => readPostgresUrl(url)).toThrow(`HEDGEROW_SQL_URL ${sentence}.`)
  expect(() => readPostgresUrl(url)).not.toThrow(PASSWORD)
})

it.each([
  ['postgres://db.example.com/data', 'must name a user, as in postgres://user:password@host/database'],
  ['postgres://user@db.example.com', 'must end with the name of one database'],
  ['postgres://user@db.example.com/', 'must end with the name of one database'],
  ['postgres:///data', 'must name a host'],
  [
    'postgres://user:100%@db.example.com/data',
    'has a password with a percent sign that is not encoded; write it as %25',
  ],
])('refuses %s', (url, sentence) => {
  expect(() => readPostgresUrl(url)).toThrow(`HEDGEROW_SQL_URL ${sentence}.`)
})

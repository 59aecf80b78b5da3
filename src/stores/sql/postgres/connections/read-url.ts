/**
 * HEDGEROW_SQL_URL → how to connect. What is not known in it is refused with a sentence, which never has the password.
 * The parameters have the names and meanings that PostgreSQL's own programs give them, but for `pool`. A host that is not
 * this machine is believed by its certificate only, unless the URL says otherwise.
 */
import { readFileSync } from 'node:fs'
import { BlockList, isIP } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import { checkParameters, decodedPart, refuserOf } from '../../../store-url.ts'

export interface PostgresAddress {
  /** A name, an address, or the folder of a Unix socket. */
  host: string
  port: number
  user: string
  password: string | undefined
  database: string
  ssl: ConnectionOptions | false
  /** Connections of this process; a server has one more, which holds its lock. */
  pool: number
}

const DEFAULT_PORT = 5432
const DEFAULT_POOL = 10
/** A request may need a second connection while it holds one; more than the most serve no single process. */
const POOL = { least: 3, most: 100 }

const MODES = ['disable', 'require', 'verify-ca', 'verify-full'] as const
type Mode = (typeof MODES)[number]

const FILES = ['sslrootcert', 'sslcert', 'sslkey'] as const
const PARAMETERS = ['pool', 'sslmode', ...FILES]

const refuse = refuserOf('HEDGEROW_SQL_URL')

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

function isLocal(host: string): boolean {
  if (host.startsWith('/') || host.toLowerCase() === 'localhost') return true
  const family = isIP(host)
  return family !== 0 && LOOPBACK.check(host, family === 6 ? 'ipv6' : 'ipv4')
}

const decoded = (part: string, what: string): string => decodedPart(part, what, refuse)

/** A Unix socket's folder is the host, encoded. */
const readHost = (url: URL): string =>
  decoded(url.hostname.replace(/^\[(.*)\]$/, '$1'), 'host') || refuse('must name a host')

function readPool(text: string | null): number {
  if (text === null) return DEFAULT_POOL
  const { least, most } = POOL
  const size = /^\d{1,4}$/.test(text) ? Number(text) : 0
  return size >= least && size <= most ? size : refuse(`has a pool that is not between ${least} and ${most}`)
}

function readMode(text: string | null, host: string): Mode {
  if (text === null) return isLocal(host) ? 'disable' : 'verify-full'
  return MODES.find((mode) => mode === text) ?? refuse(`has an sslmode that is none of ${MODES.join(', ')}`)
}

function readFile(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    return refuse(`names a file as ${name} that cannot be read (${(cause as NodeJS.ErrnoException).code})`)
  }
}

function readTls(parameters: URLSearchParams, host: string): ConnectionOptions | false {
  const mode = readMode(parameters.get('sslmode'), host)
  const files = FILES.map((name) => {
    const path = parameters.get(name)
    return path === null ? undefined : readFile(name, path)
  })
  const [ca, cert, key] = files
  if (mode === 'disable') {
    return files.every((file) => file === undefined) ? false : refuse('has certificates, but sslmode is disable')
  }
  if ((cert === undefined) !== (key === undefined)) refuse('must have both sslcert and sslkey, or neither')
  const own = { ...(ca !== undefined && { ca }), ...(cert !== undefined && { cert, key }) }
  // As libpq does: a certificate to check with is there to be used.
  if (mode === 'require' && ca === undefined) return { ...own, rejectUnauthorized: false }
  const anyName = { checkServerIdentity: () => undefined }
  return { ...own, rejectUnauthorized: true, ...(mode !== 'verify-full' && anyName) }
}

export function readPostgresUrl(text: string): PostgresAddress {
  if (!URL.canParse(text)) refuse('must be a URL that begins with postgres://')
  const url = new URL(text)
  const { searchParams } = url
  checkParameters(searchParams, PARAMETERS, refuse)
  const host = readHost(url)
  const user = decoded(url.username, 'user')
  const database = decoded(url.pathname.slice(1), 'database')
  if (user === '') refuse('must name a user, as in postgres://user:password@host/database')
  if (database === '' || database.includes('/')) refuse('must end with the name of one database')
  return {
    host,
    port: url.port === '' ? DEFAULT_PORT : Number(url.port),
    user,
    password: url.password === '' ? undefined : decoded(url.password, 'password'),
    database,
    ssl: readTls(searchParams, host),
    pool: readPool(searchParams.get('pool')),
  }
}

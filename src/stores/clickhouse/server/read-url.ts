/** HEDGEROW_EVENTS_URL → where the servers are. What is not known in it is refused with a sentence, which never has the password. */
import { checkParameters, decodedPart, refuserOf } from '../../store-url.ts'

export interface ClickhouseAddress {
  /** Of the HTTP interface of each node: with a cluster, of all its nodes. */
  nodes: string[]
  user: string
  password: string
  database: string
  /** Null: one server, or servers that hold the same. */
  cluster: string | null
}

const EXAMPLE = 'clickhouse://user:password@host:8123/database'
const PARAMETERS = ['cluster', 'secure']
const PORTS = { plain: 8123, secure: 8443 }

const SHAPE =
  /^clickhouse:\/\/(?:(?<user>[^:@/?#]*)(?::(?<password>[^@/?#]*))?@)?(?<hosts>[^@/?#]+)\/(?<database>[^/?#]*)(?:\?(?<query>[^#]*))?$/
const HOST = /^(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(?::[0-9]{1,5})?$/
const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/

const refuse = refuserOf('HEDGEROW_EVENTS_URL')

const decoded = (part: string): string => decodedPart(part, 'name or a password', refuse)

function readSecure(text: string | null): boolean {
  if (text === null) return false
  return ['true', 'false'].includes(text) ? text === 'true' : refuse('has a secure that is neither true nor false')
}

function readNodes(hosts: string, isSecure: boolean): string[] {
  return hosts.split(',').map((host) => {
    if (!HOST.test(host)) refuse(`must name each server, as in ${EXAMPLE}`)
    const port = /\]?:\d+$/.test(host) && !host.endsWith(']') ? '' : `:${isSecure ? PORTS.secure : PORTS.plain}`
    return `${isSecure ? 'https' : 'http'}://${host}${port}`
  })
}

export function readClickhouseUrl(text: string): ClickhouseAddress {
  const { user = '', password = '', hosts = '', database = '', query = '' } = SHAPE.exec(text)?.groups ?? {}
  if (hosts === '') refuse(`must be a URL such as ${EXAMPLE}`)
  const parameters = new URLSearchParams(query)
  checkParameters(parameters, PARAMETERS, refuse)
  if (!IDENTIFIER.test(database)) refuse(`must end with the name of a database, as in ${EXAMPLE}`)
  const cluster = parameters.get('cluster')
  if (cluster !== null && !IDENTIFIER.test(cluster)) refuse('has a cluster with other than letters, digits and "_"')
  const nodes = readNodes(hosts, readSecure(parameters.get('secure')))
  if (new Set(nodes).size < nodes.length) refuse('names a server twice')
  if (nodes.length > 1 && cluster === null) refuse('names several servers, but not their cluster, as in ?cluster=name')
  return { nodes, user: decoded(user) || 'default', password: decoded(password), database, cluster }
}

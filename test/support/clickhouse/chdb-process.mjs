/**
 * `node chdb-process.mjs FOLDER`, by a Node that can run chdb-wasm: a current ClickHouse in memory behind as much of its
 * HTTP interface as Hedgerow uses, on a free port, which it prints, until its input ends. Requests with other settings or
 * another database have another connection, so that these are their own; they are answered one after the other.
 */
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'

const base = `${pathToFileURL(process.argv[2])}/dist`
const { AsyncChdb } = await import(`${base}/index.js`)
const chdb = await AsyncChdb.create({ moduleUrl: `${base}/chdb.mjs` })
/** All that is stored goes with the last connection. */
await chdb.connect()

/** Parameters of the interface itself; every other one is a setting. */
const NO_SETTINGS = ['query', 'database', 'user', 'password', 'query_id', 'session_id', 'wait_end_of_query']

/** The rows of an insert are the body: they are read from a file, because text is all that a query can have. */
const INSERT = /^(\s*insert\s+into\s[\s\S]*?)\s(format\s+\w+)\s*$/i
const FILE = '/tmp/rows'

/**
 * Its file system has no hard links, by which the parts of a table share what a removal leaves as it is. Statistics, which
 * no answer depends on, are a file more of each part: a fifth of what short questions took was to read them.
 */
const CREATE = /^\s*create\s+table\s[\s\S]*\bengine\s*=\s*\w*mergetree\b/i
const OF_TABLES = "SETTINGS always_use_copy_instead_of_hardlinks = 1, auto_statistics_types = ''"

const quote = (text) => `'${text.replace(/[\\']/g, '\\$&')}'`

async function statement(query, body) {
  const insert = INSERT.exec(query)
  if (!insert) {
    const whole = `${query}\n${body}`
    return CREATE.test(whole) ? `${whole} ${OF_TABLES}` : whole
  }
  await chdb.putFile(FILE, new Uint8Array(body))
  return `${insert[1]} FROM INFILE '${FILE}' ${insert[2]}`
}

/** Every file that is opened and every thread that is woken costs more here than what most statements do. */
const DEFAULTS = {
  max_threads: '1',
  max_insert_threads: '1',
  local_filesystem_read_method: 'read',
  use_statistics: '0',
}

/** By database and settings: to make one takes longer than a short statement. */
const connections = new Map()
const MOST_CONNECTIONS = 16

async function connectionFor(params) {
  const given = Object.fromEntries([...params].filter(([name]) => !NO_SETTINGS.includes(name)))
  const database = params.get('database') ?? ''
  const key = JSON.stringify([database, given])
  const known = connections.get(key)
  if (known) return known
  const [[oldest, unused] = []] = connections.size < MOST_CONNECTIONS ? [] : connections
  connections.delete(oldest)
  await unused?.close()
  const connection = await chdb.connect()
  const settings = Object.entries({ ...DEFAULTS, ...given }).map(([name, value]) => `${name} = ${quote(value)}`)
  try {
    if (database) await connection.query(`USE \`${database}\``)
    await connection.query(`SET ${settings.join(', ')}`)
  } catch (error) {
    await connection.close()
    throw error
  }
  connections.set(key, connection)
  return connection
}

/** Those of statements that wait, or run: it is first. */
const queryIds = []

/** A statement to end another would come after it. */
function kill(query) {
  const [, id] = /^\s*kill\s+query\s+where\s+query_id\s*=\s*'([\w-]+)'/i.exec(query) ?? []
  if (id === undefined) return false
  const place = queryIds.indexOf(id)
  if (place === 0) chdb.cancel()
  if (place > 0) queryIds[place] = null
  return true
}

async function run(params, body) {
  if (queryIds[0] === null) throw new Error('Code: 394. DB::Exception: Query was cancelled')
  const connection = await connectionFor(params)
  const { data } = await connection.query(await statement(params.get('query') ?? '', body), 'TabSeparated')
  return data
}

let last = Promise.resolve()

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://clickhouse')
  if (pathname === '/ping') return response.end('Ok.\n')
  const body = await buffer(request)
  if (kill(`${body}`)) return response.end()
  queryIds.push(searchParams.get('query_id') ?? '')
  last = last.then(async () => {
    try {
      response.end(await run(searchParams, body))
    } catch ({ message }) {
      const code = /Code: (\d+)/.exec(message)?.[1] ?? '1'
      response.writeHead(500, { 'x-clickhouse-exception-code': code }).end(`${message}\n`)
    } finally {
      queryIds.shift()
    }
  })
})

server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
process.stdin.resume().on('end', () => process.exit())

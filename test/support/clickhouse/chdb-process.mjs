/**
 * `node chdb-process.mjs FOLDER`, by a Node that can run chdb-wasm: a current ClickHouse in memory behind as much of its
 * HTTP interface as Hedgerow uses, on a free port, which it prints, until its input ends. Every request has a connection
 * of its own, so that its database and its settings are its own; they are answered one after the other.
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

const quote = (text) => `'${text.replace(/[\\']/g, '\\$&')}'`

async function statement(query, body) {
  const insert = INSERT.exec(query)
  if (!insert) return `${query}\n${body}`
  await chdb.putFile(FILE, new Uint8Array(body))
  return `${insert[1]} FROM INFILE '${FILE}' ${insert[2]}`
}

async function run(params, body) {
  const connection = await chdb.connect()
  try {
    const database = params.get('database')
    if (database) await connection.query(`USE \`${database}\``)
    const settings = [...params].filter(([name]) => !NO_SETTINGS.includes(name))
    for (const [name, value] of settings) await connection.query(`SET ${name} = ${quote(value)}`)
    const { data } = await connection.query(await statement(params.get('query') ?? '', body), 'TabSeparated')
    return data
  } finally {
    await connection.close()
  }
}

let last = Promise.resolve()

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://clickhouse')
  if (pathname === '/ping') return response.end('Ok.\n')
  const body = await buffer(request)
  last = last.then(async () => {
    try {
      response.end(await run(searchParams, body))
    } catch ({ message }) {
      const code = /Code: (\d+)/.exec(message)?.[1] ?? '1'
      response.writeHead(500, { 'x-clickhouse-exception-code': code }).end(`${message}\n`)
    }
  })
})

server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
process.stdin.resume().on('end', () => process.exit())

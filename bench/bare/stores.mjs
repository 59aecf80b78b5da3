/**
 * The baseline of a start: opens both stores of a data folder that a server has used, and answers 200 to everything.
 * Plain JavaScript, started as the built server is.
 */
import { createServer } from 'node:http'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import Database from 'better-sqlite3'

const { HEDGEROW_DATA_DIR: dataDir = '', HEDGEROW_PORT: port } = process.env

const writer = new Database(join(dataDir, 'hedgerow.db'))
const reader = new Database(join(dataDir, 'hedgerow.db'), { readonly: true })
for (const database of [writer, reader]) database.prepare('SELECT count(*) FROM sqlite_master').get()

const instance = await DuckDBInstance.create(':memory:')
const connection = await instance.connect()
await connection.run(`ATTACH '${join(dataDir, 'events.duckdb')}' AS store`)
await connection.run('USE store')

const server = createServer((_request, response) => response.end())
server.listen(Number(port), '127.0.0.1')

process.once('SIGTERM', () => {
  connection.closeSync()
  instance.closeSync()
  process.exit(0)
})

/** The tables of an event store, past its port: for what no port shows. */
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { ask } from '../clickhouse/server.ts'
import { atScale, eventsDatabase } from './stores.ts'

type Query = (sql: string) => Promise<string[]>

/** Tables with a `project_id`, and those of them that have rows of the project. */
export interface EventTables {
  all: string[]
  holding: string[]
}

async function look(query: Query, tables: string, projectId: number): Promise<EventTables> {
  const all = await query(tables)
  const holding: string[] = []
  for (const table of all) {
    const [count] = await query(`SELECT count(*) FROM ${table} WHERE project_id = ${projectId}`)
    if (Number(count) > 0) holding.push(table)
  }
  return { all, holding }
}

async function inFile(dataDir: string, projectId: number): Promise<EventTables> {
  const instance = await DuckDBInstance.create(join(dataDir, 'events.duckdb'))
  const connection = await instance.connect()
  const query: Query = async (sql) => (await connection.runAndReadAll(sql)).getRows().map(([first]) => String(first))
  const tables = `SELECT DISTINCT table_name FROM information_schema.columns WHERE column_name = 'project_id'`
  try {
    return await look(query, tables, projectId)
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

const onEachNode = async <T>(dataDir: string, work: (query: Query, database: string) => Promise<T[]>): Promise<T[]> => {
  const access = await eventsDatabase(dataDir)
  const found: T[][] = []
  for (const node of access.nodes) {
    const query: Query = async (sql) => (await ask(node, access, sql)).split('\n').filter((line) => line !== '')
    found.push(await work(query, access.database))
  }
  return found.flat()
}

/** How often a project has changed stays, so that its versions differ from all before. */
async function onServers(dataDir: string, projectId: number): Promise<EventTables> {
  const found = await onEachNode(dataDir, async (query, database) => {
    const tables = `SELECT concat(database, '.', table) FROM system.columns WHERE database = '${database}'
      AND name = 'project_id' AND table LIKE '%_local' AND table != 'data_versions_local'`
    return [await look(query, tables, projectId)]
  })
  return { all: found.flatMap(({ all }) => all), holding: found.flatMap(({ holding }) => holding) }
}

/** Every row on the servers, also those that later ones replace. */
export async function rowsOnServers(dataDir: string): Promise<Buffer> {
  const rows = await onEachNode(dataDir, async (query, database) => {
    const tables = await query(
      `SELECT name FROM system.tables WHERE database = '${database}' AND engine != 'Distributed'`,
    )
    const found: string[] = []
    for (const table of tables)
      found.push(...(await query(`SELECT * FROM ${database}.${table} FORMAT TabSeparatedRaw`)))
    return found
  })
  return Buffer.from(rows.join('\n'))
}

/** No server may be running on the folder. */
export const eventTables = (dataDir: string, projectId: number): Promise<EventTables> =>
  atScale ? onServers(dataDir, projectId) : inFile(dataDir, projectId)

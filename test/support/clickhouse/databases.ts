/** What a test gets of ClickHouse: an empty database of its own on the two shards of the run. */
import { inject } from 'vitest'
import { type Address, ask, type ClickhouseAccess, clickhouseUrl, createDatabase } from './server.ts'

const found = inject('clickhouse')

/** Why there is none here, or null. With CI=true a missing one is not accepted: the tests then fail. */
export const noClickhouse: string | null = typeof found !== 'string' || process.env.CI === 'true' ? null : found

export interface TestClickhouse extends ClickhouseAccess {
  database: string
  /** As Hedgerow is given it. */
  url: string
  /** Of every node. */
  drop(): Promise<void>
  /** What is in it, while nobody writes to it. */
  copy(): Promise<TestClickhouse>
}

/** Makes the tables of one database in another, with their rows. */
async function copyTables(node: Address, access: ClickhouseAccess, from: string, to: string): Promise<void> {
  const tables = `SELECT name, engine FROM system.tables WHERE database = '${from}' FORMAT JSONCompact`
  const { data } = JSON.parse(await ask(node, access, tables)) as { data: [string, string][] }
  for (const [name, engine] of data) {
    const statement = await ask(node, access, `SHOW CREATE TABLE ${from}.${name} FORMAT TabSeparatedRaw`)
    await ask(node, access, statement.replaceAll(from, to))
    if (engine !== 'Distributed') await ask(node, access, `INSERT INTO ${to}.${name} SELECT * FROM ${from}.${name}`)
  }
}

/** Databases with tables, and no rows: making the tables takes longer than most tests. */
const emptied: TestClickhouse[] = []

/** As `newClickhouse`; it may have the tables of a store that was never used. */
export async function unusedClickhouse(): Promise<TestClickhouse> {
  return emptied.pop() ?? newClickhouse()
}

/** Columns that a store has made stay, so it must have made none. */
const MADE_COLUMNS = /^property_columns/
const STAYS = /^schema_version/

async function filledTables(node: Address, access: TestClickhouse): Promise<string[]> {
  const parts = `SELECT DISTINCT table FROM system.parts WHERE database = '${access.database}' AND active`
  const { data } = JSON.parse(await ask(node, access, `${parts} FORMAT JSONCompact`)) as { data: [string][] }
  return data.map(([name]) => name)
}

/** Of a store that nobody uses any more: makes it one that was never used, or drops it. */
export async function putBack(database: TestClickhouse): Promise<void> {
  const filled = await Promise.all(database.nodes.map((node) => filledTables(node, database)))
  const isMade = filled.flat().some((name) => STAYS.test(name))
  if (!isMade || filled.flat().some((name) => MADE_COLUMNS.test(name))) return database.drop()
  const empty = async (node: Address, tables: string[]) => {
    for (const name of tables)
      if (!STAYS.test(name)) await ask(node, database, `TRUNCATE TABLE ${database.database}.${name}`)
  }
  await Promise.all(database.nodes.map((node, place) => empty(node, filled[place] ?? [])))
  emptied.push(database)
}

/** Its servers are everybody's: who kills them starts some of his own (`startClickhouse`). */
export async function newClickhouse(): Promise<TestClickhouse> {
  if (typeof found === 'string') throw new Error(found)
  const database = await createDatabase(found)
  return {
    ...found,
    database,
    url: clickhouseUrl(found, database),
    async drop() {
      await Promise.all(found.nodes.map((node) => ask(node, found, `DROP DATABASE ${database}`)))
    },
    async copy() {
      const other = await newClickhouse()
      await Promise.all(found.nodes.map((node) => copyTables(node, found, database, other.database)))
      return other
    },
  }
}

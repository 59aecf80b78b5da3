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

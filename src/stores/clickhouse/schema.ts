/** Makes the tables, and brings those of an earlier version up to this one. */
import { OperatorError } from '../../lib/errors.ts'
import { completeColumns } from './properties/property-columns.ts'
import { RESTARTS_TABLE } from './restarts.ts'
import type { Servers } from './server/client.ts'
import { localTable, storingView, TABLES, type Table } from './tables.ts'

/** Grows when tables are made or changed. */
const VERSION = 3
/** The first with overrides. */
const WITH_OVERRIDES = 3

function statementsOf(servers: Servers, name: string, table: Table): string[] {
  const { columns, engine, partition, order, shard, growsColumns } = table
  const { cluster, database } = servers.address
  const local = cluster === null ? name : `${name}_local`
  const made = `CREATE TABLE IF NOT EXISTS ${local} (${columns}) ENGINE = ${engine}
    ${partition === undefined ? '' : `PARTITION BY ${partition}`} ORDER BY (${order})`
  if (cluster === null) return [made]
  const views = [name, ...(growsColumns ? [storingView(name)] : [])].map(
    (view) => `CREATE TABLE IF NOT EXISTS ${view} (${columns})
      ENGINE = Distributed(${cluster}, ${database}, ${local}, ${shard})`,
  )
  return [made, ...views]
}

/** On every node, unless it is there. */
export async function makeTable(servers: Servers, name: string, table: Table): Promise<void> {
  for (const statement of statementsOf(servers, name, table)) await servers.onEach(statement)
}

/** SQL by which all owners of a store of an earlier version become overrides, on a node by itself. */
const fillOverrides = (servers: Servers): string =>
  `INSERT INTO ${localTable(servers, 'overrides')} (project_id, id_hash, is_kept, seq, actor)
    SELECT project_id, id_hash, 0, max(seq), argMax(if(person_id = 0, id_hash, person_id), seq)
    FROM ${localTable(servers, 'distinct_ids')} GROUP BY project_id, id_hash`

/** Of the tables that are there; 0 unless every node has them all. */
async function versionOf(servers: Servers): Promise<number> {
  const found = await servers.rowsOfEach('EXISTS TABLE schema_version')
  if (!found.every(([exists]) => Number(exists) === 1)) return 0
  const [[version] = []] = await servers.rows('SELECT max(version) FROM schema_version')
  return Number(version ?? 0)
}

/** Makes what is missing, on every node; several processes may do so at once. */
export async function migrateSchema(servers: Servers): Promise<void> {
  const version = await versionOf(servers)
  if (version > VERSION)
    throw new OperatorError('The event store on ClickHouse was written by a newer version of Hedgerow.')
  if (version === VERSION) return
  for (const [name, table] of Object.entries(TABLES)) await makeTable(servers, name, table)
  await servers.onEach(RESTARTS_TABLE)
  await completeColumns(servers)
  if (version < WITH_OVERRIDES) await servers.onEach(fillOverrides(servers))
  const row = Buffer.alloc(5)
  row.writeUInt8(0, 0)
  row.writeUInt32LE(VERSION, 1)
  await servers.insert('schema_version', ['one', 'version'], row)
}

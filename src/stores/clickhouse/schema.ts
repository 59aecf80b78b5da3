/** Makes the tables, and brings those of an earlier version up to this one. */
import { OperatorError } from '../../lib/errors.ts'
import { completeColumns } from './properties/property-columns.ts'
import { RESTARTS_TABLE } from './restarts.ts'
import type { Servers } from './server/client.ts'
import { localTable, storingView, TABLES, type Table } from './tables.ts'
import { text } from './values/literal.ts'

/** Grows when tables are made or changed. */
const VERSION = 3
/** The first with overrides. */
const WITH_OVERRIDES = 3

/** By shard, so that its replicas meet. */
function replicatedEngine({ database }: Servers['address'], name: string, engine: Table['engine']): string {
  const [kind, column = ''] = engine.split(/[()]/)
  const place = [text(`/clickhouse/tables/{shard}/${database}/${name}`), text('{replica}')]
  return `Replicated${kind}(${[...place, ...(column ? [column] : [])].join(', ')})`
}

function statementsOf(servers: Servers, name: string, table: Table, isReplicated: boolean): string[] {
  const { columns, partition, order, shard, growsColumns } = table
  const { cluster, database } = servers.address
  const local = cluster === null ? name : `${name}_local`
  const engine = isReplicated ? replicatedEngine(servers.address, name, table.engine) : table.engine
  const made = `CREATE TABLE IF NOT EXISTS ${local} (${columns}) ENGINE = ${engine}
    ${partition === undefined ? '' : `PARTITION BY ${partition}`} ORDER BY (${order})`
  if (cluster === null) return [made]
  const views = [name, ...(growsColumns ? [storingView(name)] : [])].map(
    (view) => `CREATE TABLE IF NOT EXISTS ${view} (${columns})
      ENGINE = Distributed(${cluster}, ${database}, ${local}, ${shard})`,
  )
  return [made, ...views]
}

/** On every node, unless it is there; replicated where the nodes can. */
export async function makeTables(servers: Servers, tables: Record<string, Table>): Promise<void> {
  const isReplicated = await servers.replicas.canReplicate()
  for (const [name, table] of Object.entries(tables)) {
    for (const statement of statementsOf(servers, name, table, isReplicated)) await servers.onEach(statement)
  }
}

/** SQL by which all owners of a store of an earlier version become overrides, on a node by itself. */
const fillOverrides = (servers: Servers): string =>
  `INSERT INTO ${localTable(servers, 'overrides')} (project_id, id_hash, is_kept, seq, actor)
    SELECT project_id, id_hash, 0, max(seq), argMax(if(person_id = 0, id_hash, person_id), seq)
    FROM ${localTable(servers, 'distinct_ids')} GROUP BY project_id, id_hash`

/** Tables that were made before there were replicas would have other rows on each of them. */
async function checkReplicated(servers: Servers): Promise<void> {
  if (!servers.replicas.hasAny) return
  const found = await servers.rowsOfEach(
    `SELECT name FROM system.tables
      WHERE database = currentDatabase() AND endsWith(name, '_local') AND NOT startsWith(engine, 'Replicated')`,
    'reachable',
  )
  if (found.length > 0)
    throw new OperatorError(
      `The cluster ${servers.address.cluster} has replicas, but tables of ${servers.address.database} are not replicated, such as ${found[0]?.[0]}.`,
    )
}

/** Of the tables that are there; 0 unless every node has them all. A replica may be away. */
async function versionOf(servers: Servers): Promise<number> {
  const found = await servers.rowsOfEach('EXISTS TABLE schema_version', 'reachable')
  if (!found.every(([exists]) => Number(exists) === 1)) return 0
  const [[version] = []] = await servers.rows('SELECT max(version) FROM schema_version')
  return Number(version ?? 0)
}

/** Makes what is missing, on every node; several processes may do so at once. */
export async function migrateSchema(servers: Servers): Promise<void> {
  await checkReplicated(servers)
  const version = await versionOf(servers)
  if (version > VERSION)
    throw new OperatorError('The event store on ClickHouse was written by a newer version of Hedgerow.')
  if (version === VERSION) return
  await makeTables(servers, TABLES)
  await servers.onEach(RESTARTS_TABLE)
  await completeColumns(servers)
  if (version < WITH_OVERRIDES) await servers.onEach(fillOverrides(servers), 'shards')
  const row = Buffer.alloc(5)
  row.writeUInt8(0, 0)
  row.writeUInt32LE(VERSION, 1)
  await servers.insert('schema_version', ['one', 'version'], row)
}

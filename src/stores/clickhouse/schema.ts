/**
 * The tables. On a cluster each is `…_local` on every node, and under its own name a view of all of them by which rows are
 * read and stored; on one server there is only the one under its own name. Events, what is found by distinct id and the
 * owners of ids are on the node that the id's number gives, so that joining them stays there.
 *
 * Instants are microseconds; UUIDs are 16 bytes, which sort as their texts do (those of the engine's own type do not).
 */
import { OperatorError } from '../../lib/errors.ts'
import { RESTARTS_TABLE } from './restarts.ts'
import type { Servers } from './server/client.ts'

const PROPERTIES = 'keys Array(String), vals Array(String), nums Array(Float64), instants Array(Float64)'

interface Table {
  columns: string
  /** After `ENGINE = `. */
  engine: 'MergeTree()' | `ReplacingMergeTree(${string})` | 'SummingMergeTree()'
  partition?: string
  order: string
  /** Which node has a row. */
  shard: string
}

/**
 * Of rows with one key in a ReplacingMergeTree the one with the highest `seq` counts; the others go when parts are merged,
 * whenever that is, so every reader takes the highest.
 */
const TABLES = {
  events: {
    // `period` groups days to partitions (see rows/event-rows.ts); `actor` is who owned the id when it was captured;
    // `session_texts`: see rows/session-texts.ts; `size` is that of the properties in bytes.
    columns: `project_id UInt32, period Int32, day Int32, event String, id_hash Int64, ts Int64, seq Int64, place UInt32,
      actor Int64, uuid FixedString(16), session_id FixedString(16), distinct_id String, ${PROPERTIES},
      session_texts Array(String), size UInt32`,
    engine: 'MergeTree()',
    partition: 'period',
    order: 'project_id, day, event, id_hash, ts, seq, place',
    shard: 'toUInt64(id_hash)',
  },
  moments: {
    columns: `project_id UInt32, period Int32, id_hash Int64, distinct_id String, event String, ts Int64, seq Int64,
      place UInt32, uuid FixedString(16), size UInt32`,
    engine: 'MergeTree()',
    partition: 'period',
    order: 'project_id, id_hash, ts, seq, place',
    shard: 'toUInt64(id_hash)',
  },
  persons: {
    columns: `project_id UInt32, person_id Int64, seq Int64, uuid FixedString(16), created_at Int64, updated_at Int64,
      last_seen_at Int64, is_identified UInt8, deleted UInt8, has_search UInt8, search String, ${PROPERTIES}`,
    engine: 'ReplacingMergeTree(seq)',
    order: 'project_id, person_id',
    shard: 'toUInt64(person_id)',
  },
  distinct_ids: {
    columns: 'project_id UInt32, id_hash Int64, distinct_id String, seq Int64, person_id Int64, folded String',
    engine: 'ReplacingMergeTree(seq)',
    order: 'project_id, id_hash, distinct_id',
    shard: 'toUInt64(id_hash)',
  },
  // Every change adds to both, so that their sums are never again what they were.
  data_versions: {
    columns: 'project_id UInt32, changes UInt64, mark UInt64',
    engine: 'SummingMergeTree()',
    order: 'project_id',
    shard: 'project_id',
  },
  // The batches of the last hours; `hour` is when.
  applied: {
    columns: 'hour Int32, id FixedString(16), seq Int64',
    engine: 'MergeTree()',
    partition: 'hour',
    order: 'id',
    shard: 'toUInt64(seq)',
  },
  // By all batches that are no longer in `applied`.
  reached: {
    columns: 'one UInt8, seq Int64',
    engine: 'ReplacingMergeTree(seq)',
    order: 'one',
    shard: 'one',
  },
  installation: {
    columns: 'one UInt8, number UInt64, id FixedString(16), reached Int64',
    engine: 'ReplacingMergeTree(number)',
    order: 'one',
    shard: 'one',
  },
  // What a run of erasures removes, with the counts, stored before it begins (see erasure/erasure-runs.ts).
  erasures: {
    columns: `run UInt64, id Int64, project_id UInt32, events Int64, sessions Int64, done UInt8,
      id_hashes Array(Int64), up_to Array(Int64)`,
    engine: 'ReplacingMergeTree(done)',
    order: 'run, id, project_id',
    shard: 'run',
  },
  schema_version: {
    columns: 'one UInt8, version UInt32',
    engine: 'ReplacingMergeTree(version)',
    order: 'one',
    shard: 'one',
  },
} satisfies Record<string, Table>

export type TableName = keyof typeof TABLES

/** Grows when tables are made or changed. */
const VERSION = 1

/** All tables whose rows belong to a project. */
export const PROJECT_TABLES = ['events', 'moments', 'persons', 'distinct_ids'] as const satisfies TableName[]

/** The table of one node, for what is said to each of them. */
export const localTable = (servers: Servers, table: TableName): string =>
  servers.address.cluster === null ? table : `${table}_local`

function statementsOf(servers: Servers, name: string, table: Table): string[] {
  const { columns, engine, partition, order, shard } = table
  const { cluster, database } = servers.address
  const local = cluster === null ? name : `${name}_local`
  const made = `CREATE TABLE IF NOT EXISTS ${local} (${columns}) ENGINE = ${engine}
    ${partition === undefined ? '' : `PARTITION BY ${partition}`} ORDER BY (${order})`
  if (cluster === null) return [made]
  const all = `CREATE TABLE IF NOT EXISTS ${name} (${columns})
    ENGINE = Distributed(${cluster}, ${database}, ${local}, ${shard})`
  return [made, all]
}

/** On every node, unless it is there. */
export async function makeTable(servers: Servers, name: string, table: Table): Promise<void> {
  for (const statement of statementsOf(servers, name, table)) await servers.onEach(statement)
}

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
  const row = Buffer.alloc(5)
  row.writeUInt8(0, 0)
  row.writeUInt32LE(VERSION, 1)
  await servers.insert('schema_version', ['one', 'version'], row)
}

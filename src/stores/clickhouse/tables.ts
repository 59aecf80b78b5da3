/**
 * The tables. On a cluster each is `…_local` on every node, and under its own name a view of all of them by which rows are
 * read and stored; on one server there is only the one under its own name. A table that gets more columns has a second such
 * view for what is stored: the oldest server would send those columns too, which the nodes make themselves. Where the nodes of
 * a cluster have ZooKeeper or Keeper, and macros that name shard and replica, theirs are replicated. Events, what is
 * found by distinct id and the owners of ids are on the node that the id's number gives, so that joining them stays there.
 *
 * Instants are microseconds; UUIDs are 16 bytes, which sort as their texts do (those of the engine's own type do not).
 */
import type { Servers } from './server/client.ts'

const PROPERTIES = 'keys Array(String), vals Array(String), nums Array(Float64), instants Array(Float64)'

export interface Table {
  columns: string
  /** After `ENGINE = `. */
  engine: 'MergeTree()' | `ReplacingMergeTree(${string})` | 'SummingMergeTree()'
  partition?: string
  order: string
  /** Which node has a row. */
  shard: string
  /** Whether it gets columns of common properties (properties/property-columns.ts). */
  growsColumns?: true
}

/**
 * Of rows with one key in a ReplacingMergeTree the one with the highest `seq` counts; the others go when parts are merged,
 * whenever that is, so every reader takes the highest.
 */
export const TABLES = {
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
    growsColumns: true,
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
    growsColumns: true,
  },
  distinct_ids: {
    columns: 'project_id UInt32, id_hash Int64, distinct_id String, seq Int64, person_id Int64, folded String',
    engine: 'ReplacingMergeTree(seq)',
    order: 'project_id, id_hash, distinct_id',
    shard: 'toUInt64(id_hash)',
  },
  // Ids that may have another owner than their events say (see actors/overrides.ts).
  overrides: {
    columns: 'project_id UInt32, id_hash Int64, is_kept UInt8, seq Int64, actor Int64',
    engine: 'ReplacingMergeTree(seq)',
    order: 'project_id, id_hash, is_kept',
    shard: 'toUInt64(id_hash)',
  },
  settled: {
    columns: 'one UInt8, seq Int64',
    engine: 'ReplacingMergeTree(seq)',
    order: 'one',
    shard: 'one',
  },
  // Which keys of properties have columns, of which table; the highest `state` counts.
  property_columns: {
    columns: 'of String, key String, state UInt8, width Float64',
    engine: 'ReplacingMergeTree(state)',
    order: 'of, key',
    shard: 'cityHash64(key)',
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

/** All tables whose rows belong to a project. */
export const PROJECT_TABLES = [
  'events',
  'moments',
  'persons',
  'distinct_ids',
  'overrides',
] as const satisfies TableName[]

/** The table of one node, for what is said to each of them. */
export const localTable = (servers: Pick<Servers, 'address'>, table: TableName): string =>
  servers.address.cluster === null ? table : `${table}_local`

/** The view by which rows are stored in a table that gets more columns. */
export const storingView = (table: string): string => `${table}_in`

/** The table by which rows are stored. */
export function storingTable(servers: Pick<Servers, 'address'>, table: TableName): string {
  const { growsColumns }: Table = TABLES[table]
  return servers.address.cluster !== null && growsColumns ? storingView(table) : table
}

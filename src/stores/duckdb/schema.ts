/**
 * The tables, created and upgraded by numbered steps, each in a transaction together with its number. No column has an
 * index: DuckDB holds a whole index in memory, and ten million events would not fit into 256 MB. `moments` and
 * `recent_moments` are our own index by distinct id (see event-index.ts); the `fresh_` tables hold projection rows not
 * yet folded (see people/people-projection.ts).
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { OperatorError } from '../../lib/errors.ts'
import { idHashSql } from './actors/id-hash-sql.ts'
import type { Database } from './database.ts'

/**
 * Instants are milliseconds, as everywhere. Properties under zstd take half the space and two thirds of the time of the
 * engine's default compression. `ord` counts appended events; `distinct_hash` is distinctHash(distinct_id); properties
 * that are too long for a row are null there and stored in `long_texts` under `long_id`.
 */
const STEPS: string[][] = [
  [
    `CREATE TABLE events (
      project_id INTEGER NOT NULL, ord BIGINT NOT NULL, seq BIGINT NOT NULL, ts DOUBLE NOT NULL,
      event VARCHAR NOT NULL, distinct_id VARCHAR NOT NULL, distinct_hash UINTEGER NOT NULL, uuid UUID NOT NULL,
      session_id UUID, session_properties VARCHAR, properties VARCHAR USING COMPRESSION zstd, long_id BIGINT)`,
    ...['moments', 'recent_moments'].map(
      // Uncompressed, because a run-length scan of the same column took twice the time.
      (name) => `CREATE TABLE ${name} (
        distinct_hash UINTEGER NOT NULL USING COMPRESSION uncompressed, project_id INTEGER NOT NULL,
        distinct_id VARCHAR NOT NULL, event VARCHAR NOT NULL, ts DOUBLE NOT NULL, seq BIGINT NOT NULL,
        ord BIGINT NOT NULL, uuid UUID NOT NULL)`,
    ),
    ...['persons', 'fresh_persons'].map(
      (name) => `CREATE TABLE ${name} (
        project_id INTEGER NOT NULL, person_id BIGINT NOT NULL, seq BIGINT NOT NULL, uuid UUID NOT NULL,
        properties VARCHAR USING COMPRESSION zstd, long_id BIGINT, created_at DOUBLE NOT NULL, deleted BOOLEAN NOT NULL)`,
    ),
    ...['distinct_ids', 'fresh_distinct_ids'].map(
      (name) => `CREATE TABLE ${name} (
        project_id INTEGER NOT NULL, distinct_hash UINTEGER NOT NULL, distinct_id VARCHAR NOT NULL,
        seq BIGINT NOT NULL, person_id BIGINT)`,
    ),
    `CREATE TABLE long_texts (
      project_id INTEGER NOT NULL, id BIGINT NOT NULL, part INTEGER NOT NULL,
      text VARCHAR NOT NULL USING COMPRESSION zstd)`,
    'CREATE TABLE batches (id UUID NOT NULL, applied_at DOUBLE NOT NULL)',
  ],
  ['CREATE TABLE erasures (id BIGINT NOT NULL, events BIGINT NOT NULL, sessions BIGINT NOT NULL)'],
  [
    // Null: applied by a version that did not record it.
    'ALTER TABLE batches ADD COLUMN seq BIGINT',
    'CREATE TABLE installation (id UUID NOT NULL, reached BIGINT NOT NULL)',
  ],
  // Has a row when rows were removed that may still be in the file; a file that was rewritten has none.
  ['CREATE TABLE removals (noted BOOLEAN NOT NULL)'],
  [
    // Null in all of them: written by a version before these columns, and not completed yet. What `search` and `folded`
    // hold is in people/search-text.ts; `width` counts the bytes of the properties where there is a search text.
    ...['persons', 'fresh_persons'].flatMap((table) => [
      `ALTER TABLE ${table} ADD COLUMN updated_at DOUBLE`,
      `ALTER TABLE ${table} ADD COLUMN last_seen_at DOUBLE`,
      `ALTER TABLE ${table} ADD COLUMN is_identified BOOLEAN`,
      `ALTER TABLE ${table} ADD COLUMN width INTEGER`,
      `ALTER TABLE ${table} ADD COLUMN search VARCHAR`,
    ]),
    ...['distinct_ids', 'fresh_distinct_ids'].map((table) => `ALTER TABLE ${table} ADD COLUMN folded VARCHAR`),
  ],
  [
    // Has a row for each project with any data (see data-versions.ts).
    'CREATE TABLE data_versions (project_id INTEGER NOT NULL, version UUID NOT NULL)',
    `INSERT INTO data_versions SELECT project_id, uuid() FROM (${[
      'events',
      'persons',
      'fresh_persons',
      'distinct_ids',
      'fresh_distinct_ids',
    ]
      .map((table) => `SELECT project_id FROM ${table}`)
      .join(' UNION ')})`,
  ],
  [
    // See properties/property-columns.ts and properties/key-blocks.ts.
    `CREATE TABLE property_columns (
      number INTEGER NOT NULL, key VARCHAR NOT NULL, kind VARCHAR NOT NULL, has_null BOOLEAN NOT NULL,
      has_in_json BOOLEAN NOT NULL, width DOUBLE NOT NULL, filled BIGINT NOT NULL)`,
    `CREATE TABLE key_blocks (
      from_ord BIGINT NOT NULL, to_ord BIGINT NOT NULL, key_hash UBIGINT NOT NULL, events BIGINT NOT NULL)`,
  ],
  [
    // See actors/. Null in events: written by a version before these columns, and not filled yet.
    'ALTER TABLE events ADD COLUMN id_hash BIGINT',
    'ALTER TABLE events ADD COLUMN actor BIGINT',
    'ALTER TABLE fresh_distinct_ids ADD COLUMN id_hash BIGINT',
    `UPDATE fresh_distinct_ids SET id_hash = ${idHashSql('fresh_distinct_ids')}`,
    `CREATE TABLE overrides (
      project_id INTEGER NOT NULL, id_hash BIGINT NOT NULL, seq BIGINT NOT NULL, actor BIGINT NOT NULL,
      folding BOOLEAN NOT NULL)`,
    // Some of these rows may have come late.
    `INSERT INTO overrides
      SELECT project_id, id_hash, max(seq), arg_max(coalesce(person_id, id_hash), seq), false FROM (
        SELECT project_id, id_hash, seq, person_id FROM fresh_distinct_ids
        UNION ALL SELECT project_id, id_hash, seq, person_id FROM distinct_ids JOIN (
          SELECT DISTINCT project_id, distinct_hash, distinct_id, id_hash FROM fresh_distinct_ids)
          USING (project_id, distinct_hash, distinct_id))
      GROUP BY project_id, id_hash`,
    // Those of properties come after all others: they are chosen and filled again.
    'DELETE FROM property_columns',
    'DELETE FROM key_blocks',
  ],
  [
    // See properties/person-columns.ts.
    'ALTER TABLE persons ADD COLUMN column_set INTEGER DEFAULT 0',
    `CREATE TABLE person_columns (
      number INTEGER NOT NULL, key VARCHAR NOT NULL, kind VARCHAR NOT NULL, width DOUBLE NOT NULL, since INTEGER NOT NULL)`,
  ],
]

const VERSION_TABLE = 'CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)'

/** All tables whose rows belong to a project. */
export const PROJECT_TABLES = [
  'events',
  'moments',
  'recent_moments',
  'persons',
  'fresh_persons',
  'distinct_ids',
  'fresh_distinct_ids',
  'long_texts',
  'overrides',
  'data_versions',
] as const

export async function migrateSchema(database: Database, path: string): Promise<void> {
  await database.write(async (connection) => {
    await connection.run(VERSION_TABLE)
    const found = await connection.runAndReadAll('SELECT max(version) FROM schema_version')
    const version = Number(found.getRows()[0]?.[0] ?? 0)
    if (version > STEPS.length) {
      throw new OperatorError(`The event store ${path} was written by a newer version of Hedgerow.`)
    }
    await runSteps(connection, version)
  })
}

async function runSteps(connection: DuckDBConnection, from: number): Promise<void> {
  for (const [index, statements] of STEPS.entries()) {
    if (index < from) continue
    for (const statement of statements) await connection.run(statement)
    await connection.run('INSERT INTO schema_version VALUES ($1)', [index + 1])
  }
}

/** All tables, empty, in the database that the connection uses. */
export async function createSchema(connection: DuckDBConnection): Promise<void> {
  await connection.run(VERSION_TABLE)
  await runSteps(connection, 0)
}

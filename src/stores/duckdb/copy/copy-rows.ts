/**
 * Copies the live rows of the store into a new file in two steps: most of them while the store goes on working, as rows
 * of the large tables are only ever added, under increasing numbers; and the rest, found by those numbers, at a moment
 * of the caller's choice. Rows must not be removed or changed in between. One copy at a time (`Parts.copies`).
 */
import { closeSync, fsyncSync, openSync } from 'node:fs'
import type { DuckDBConnection } from '@duckdb/node-api'
import { OperatorError } from '../../../lib/errors.ts'
import type { RowCounts } from '../../../model/events/store-copy.ts'
import { attachFile, CATALOG, type Database } from '../database.ts'
import type { Parts } from '../progress.ts'
import {
  addColumns,
  type KnownColumns,
  keptColumns,
  type PropertyColumn,
  type PropertyTable,
} from '../properties/property-columns.ts'
import { createSchema } from '../schema.ts'
import { int } from '../values/literal.ts'

const FRESH = 'fresh'

/**
 * Tables whose rows are only ever added, with the number that increases; the other tables are copied whole at the end.
 * Actors and the columns of common properties are not filled meanwhile (columns/columns-pass.ts).
 */
const GROWING = { events: 'ord', moments: 'ord', long_texts: 'id' } as const
const WHOLE = [
  'recent_moments',
  'persons',
  'fresh_persons',
  'distinct_ids',
  'fresh_distinct_ids',
  'batches',
  'erasures',
  'installation',
  'overrides',
  'data_versions',
  'property_columns',
  'person_columns',
  'key_blocks',
] as const

type Bounds = Record<keyof typeof GROWING, bigint>

/** What is copied, and what is not. */
export interface CopiedMost {
  bounds: Bounds
  /** Columns that are left out. */
  without: Record<PropertyTable, string[]>
}

async function inFresh<T>(connection: DuckDBConnection, work: () => Promise<T>): Promise<T> {
  await connection.run(`USE ${FRESH}`)
  try {
    return await work()
  } finally {
    await connection.run(`USE ${CATALOG}`)
  }
}

function insert(table: string, without: CopiedMost['without'], condition = 'true'): string {
  const left = table === 'events' || table === 'persons' ? without[table] : []
  const columns = left.length > 0 ? `* EXCLUDE (${left.join(', ')})` : '*'
  return `INSERT INTO ${FRESH}.${table} SELECT ${columns} FROM ${CATALOG}.${table} WHERE ${condition}`
}

async function boundsOf(connection: DuckDBConnection): Promise<Bounds> {
  const columns = Object.entries(GROWING).map(
    ([table, by]) => `(SELECT coalesce(max(${by}), 0) FROM ${table}) AS ${table}`,
  )
  const [row] = (await connection.runAndReadAll(`SELECT ${columns.join(', ')}`)).getRowObjects()
  return row as unknown as Bounds
}

/** Copies the current rows of the large tables; returns up to which number. */
export async function copyMost(
  connection: DuckDBConnection,
  file: string,
  { properties, personProperties }: Parts,
): Promise<CopiedMost> {
  const kept = { events: keptColumns(properties), persons: keptColumns(personProperties) }
  const lost = (table: PropertyTable, { inTable }: KnownColumns<PropertyColumn>) =>
    inTable.filter((column) => !kept[table].includes(column)).map(({ name }) => name)
  const without = { events: lost('events', properties), persons: lost('persons', personProperties) }
  await attachFile(connection, file, FRESH)
  await inFresh(connection, async () => {
    await createSchema(connection)
    await addColumns(connection, 'events', kept.events)
    await addColumns(connection, 'persons', kept.persons)
  })
  const bounds = await boundsOf(connection)
  for (const [table, by] of Object.entries(GROWING)) {
    await connection.run(insert(table, without, `${by} <= ${int(bounds[table as keyof Bounds])}`))
  }
  return { bounds, without }
}

export async function copyRest(connection: DuckDBConnection, { bounds, without }: CopiedMost): Promise<void> {
  for (const [table, by] of Object.entries(GROWING)) {
    await connection.run(insert(table, without, `${by} > ${int(bounds[table as keyof Bounds])}`))
  }
  for (const table of WHOLE) await connection.run(insert(table, without))
}

async function countRows(connection: DuckDBConnection, catalog: string, tables: string[]): Promise<RowCounts> {
  const columns = tables.map((table) => `(SELECT count(*) FROM ${catalog}.${table})::DOUBLE AS ${table}`)
  return (await connection.runAndReadAll(`SELECT ${columns.join(', ')}`)).getRowObjects()[0] as unknown as RowCounts
}

export const countCopied = (connection: DuckDBConnection): Promise<RowCounts> =>
  countRows(connection, FRESH, [...Object.keys(GROWING), ...WHOLE])

/** Of these tables of a store that is open, whatever version it is of. */
export async function countStored(connection: DuckDBConnection, tables: string[]): Promise<RowCounts> {
  const wrong = tables.find((table) => !/^[a-z_]+$/.test(table))
  if (wrong !== undefined) throw new OperatorError(`There is no table ${JSON.stringify(wrong)} in an event store.`)
  return countRows(connection, CATALOG, tables)
}

export async function detachCopy(connection: DuckDBConnection): Promise<void> {
  await connection.run(`DETACH DATABASE IF EXISTS ${FRESH}`)
}

/** The file is complete, closed and synced to disk when it resolves. */
export async function closeCopy(connection: DuckDBConnection, file: string): Promise<void> {
  await connection.run(`CHECKPOINT ${FRESH}`)
  await detachCopy(connection)
  const handle = openSync(file, 'r+')
  fsyncSync(handle)
  closeSync(handle)
}

/** Runs `work` on a connection; when `signal` is aborted, the running statement ends with an error. */
export async function interruptible<T>(
  database: Database,
  signal: AbortSignal | undefined,
  work: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> {
  return database.read(async (connection) => {
    const interrupt = () => connection.interrupt()
    signal?.throwIfAborted()
    signal?.addEventListener('abort', interrupt)
    try {
      return await work(connection)
    } finally {
      signal?.removeEventListener('abort', interrupt)
    }
  })
}

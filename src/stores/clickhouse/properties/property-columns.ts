/**
 * Columns of common properties. The engine makes them of the lists as rows are stored, and when it merges rows that were
 * stored before; until then it makes them as it reads. So a column always has what the lists have. A column's name is made
 * of its key, so that processes that add the same one at the same time add the same. Which keys have columns stands in a
 * table, written when every node has them.
 */
import { hash } from 'node:crypto'
import { unavailable } from '../../../lib/errors.ts'
import { MINUTE } from '../../../lib/time/time.ts'
import type { Servers, Which } from '../server/client.ts'
import { CODES } from '../server/failures.ts'
import { localTable } from '../tables.ts'
import { isOneOf, text } from '../values/literal.ts'
import { RowWriter } from '../values/row-binary.ts'

/** Tables with properties. */
export const PROPERTY_TABLES = ['events', 'persons'] as const
export type PropertyTable = (typeof PROPERTY_TABLES)[number]

export interface PropertyColumn {
  key: string
  /** Whether there is one of its numbers too. */
  hasNumber: boolean
  /** About the bytes that a value takes. */
  width: number
}

/** By key. */
export type ColumnsByKey = ReadonlyMap<string, PropertyColumn>
export type KnownColumns = Record<PropertyTable, ColumnsByKey>

/** Nobody can make two keys with one such number. */
const nameOf = (key: string): string => hash('sha256', key).slice(0, 32)

/** The column of the value, as it is in the list; empty when the key is not there. */
export const valueColumn = (key: string): string => `p_${nameOf(key)}`
/** The column of the number; NaN: none. */
export const numberColumn = (key: string): string => `n_${nameOf(key)}`

const isAbsent = (key: string): string => `indexOf(keys, ${text(key)}) = 0`

/** SQL of what the lists have under a key. */
export const listedValue = (key: string): string => `vals[indexOf(keys, ${text(key)})]`
/** Of a key that is not there the lists have 0. */
export const listedNumber = (key: string): string => `if(${isAbsent(key)}, nan, nums[indexOf(keys, ${text(key)})])`
export const listedInstant = (key: string): string => `if(${isAbsent(key)}, nan, instants[indexOf(keys, ${text(key)})])`

interface Made {
  name: string
  sql: string
}

const madeOf = ({ key, hasNumber }: PropertyColumn): Made[] => [
  { name: valueColumn(key), sql: `${valueColumn(key)} String MATERIALIZED ${listedValue(key)}` },
  ...(hasNumber
    ? [{ name: numberColumn(key), sql: `${numberColumn(key)} Float64 MATERIALIZED ${listedNumber(key)}` }]
    : []),
]

const isAmong = (names: string[], table: string): string =>
  `database = currentDatabase() AND table = ${text(table)} AND ${isOneOf('name', names, text)}`

/** A node's own table is said to one replica, which tells the others. */
async function addTo(servers: Servers, table: string, made: Made[], which: Which): Promise<void> {
  const count = `SELECT count() FROM system.columns WHERE ${isAmong(
    made.map(({ name }) => name),
    table,
  )}`
  const before = await servers.rowsOfEach(count)
  // Of several in one statement none is added if there is one already.
  const isNew = before.every(([columns]) => Number(columns) === 0)
  for (const some of isNew ? [made] : made.map((one) => [one])) {
    const added = some.map(({ sql }) => `ADD COLUMN ${sql}`).join(', ')
    await servers.onEach(`ALTER TABLE ${table} ${added}`, which, [CODES.columnExists, CODES.sameColumn])
  }
  const after = await servers.rowsOfEach(count)
  if (after.some(([columns]) => Number(columns) !== made.length))
    throw unavailable(`ClickHouse has not added all columns to ${table}.`, 1)
}

/** Makes columns that are missing, on every node: first of the nodes' own tables, then of what is read by. */
async function makeColumns(servers: Servers, table: PropertyTable, columns: PropertyColumn[]): Promise<void> {
  if (columns.length === 0) return
  const made = columns.flatMap(madeOf)
  const local = localTable(servers, table)
  await addTo(servers, local, made, 'shards')
  if (local !== table) await addTo(servers, table, made, 'all')
}

/** What the table of keys says of one. */
const VALUE = 1
const VALUE_AND_NUMBER = 2

async function readColumns(servers: Servers): Promise<KnownColumns> {
  const rows = await servers.rows(
    'SELECT of, key, max(state), argMax(width, state) FROM property_columns GROUP BY of, key',
  )
  const known = { events: new Map<string, PropertyColumn>(), persons: new Map<string, PropertyColumn>() }
  for (const [of, key, state, width] of rows as [PropertyTable, string, number, number][])
    known[of].set(key, { key, hasNumber: state === VALUE_AND_NUMBER, width })
  return known
}

/** Gives columns to keys, from now on. */
export async function addColumns(servers: Servers, table: PropertyTable, columns: PropertyColumn[]): Promise<void> {
  if (columns.length === 0) return
  await makeColumns(servers, table, columns)
  const out = new RowWriter()
  for (const { key, hasNumber, width } of columns) {
    out.text(table)
    out.text(key)
    out.uint8(hasNumber ? VALUE_AND_NUMBER : VALUE)
    out.double(width)
  }
  await servers.insert('property_columns', ['of', 'key', 'state', 'width'], out.bytes())
}

/** Makes the columns that the table of keys names on nodes that lack them, such as new ones. */
export async function completeColumns(servers: Servers): Promise<void> {
  const known = await readColumns(servers)
  for (const table of PROPERTY_TABLES) await makeColumns(servers, table, [...known[table].values()])
}

/** Others add columns too; without them a question takes longer. */
const KNOWN_FOR_MS = MINUTE

/** The columns that there are, asked for once in a while. */
export class ColumnMemory {
  readonly #servers: Servers
  #known: Promise<KnownColumns> | null = null
  #since = 0

  constructor(servers: Servers) {
    this.#servers = servers
  }

  async current(): Promise<KnownColumns> {
    const now = performance.now()
    if (this.#known === null || now - this.#since > KNOWN_FOR_MS) {
      this.#since = now
      this.#known = readColumns(this.#servers)
    }
    const asked = this.#known
    try {
      return await asked
    } catch (error) {
      if (this.#known === asked) this.#known = null
      throw error
    }
  }

  /** What is known is asked for anew. */
  forget(): void {
    this.#known = null
  }
}

/**
 * Which keys the events of a block have, a block being events that follow each other by `ord`: a question about a key
 * without a column reads the JSON only of blocks that have it. Keys are kept as hashes, so that nothing is left of a key
 * when its events are erased. Events whose properties are too long for a row are not counted.
 */
import { DOUBLE, type DuckDBConnection, UBIGINT } from '@duckdb/node-api'
import { appendRows, type Column } from '../values/append-rows.ts'
import { Texts } from '../values/bound-texts.ts'
import { int } from '../values/literal.ts'
import type { PropertyTable } from './property-columns.ts'
import { singleThreaded } from './property-sql.ts'

/** Events after `from`, up to `to`, by their `ord`; to infinity: all later ones. */
export interface OrdRange {
  from: number
  to: number
}

/** How many rows of a project have a key. */
interface KeyCount {
  projectId: number
  key: string
  hash: bigint
  rows: number
}

/** Rows with properties that are looked at. */
export interface LookedRows {
  table: PropertyTable
  /** SQL of a condition. */
  where: string
}

export interface ScannedKeys {
  /** The most frequent first. */
  keys: KeyCount[]
  /** Rows of each project. */
  rows: Map<number, number>
}

export type ScannedBlock = ScannedKeys & OrdRange

/** Any page can invent keys: a block with more is read whatever the key. */
const MAX_KEYS = 1_000
/** Stands for any key. */
const ANY_KEY = 0n

/** SQL of whether an event is in the range. */
export const within = ({ from, to }: OrdRange): string =>
  Number.isFinite(to) ? `ord > ${int(from)} AND ord <= ${int(to)}` : `ord > ${int(from)}`

const hashSql = (key: string): string => `greatest(md5_number_lower(${key}), 1)`

/** Which keys the rows have. */
export async function scanKeys(connection: DuckDBConnection, { table, where }: LookedRows): Promise<ScannedKeys> {
  const rows = singleThreaded(
    `SELECT project_id, json_keys(properties) AS keys FROM ${table} WHERE ${where} AND long_id IS NULL`,
  )
  const counted = await connection.runAndReadAll(
    `SELECT project_id, key, ${hashSql('key')}, count(*)::DOUBLE AS rows
      FROM (SELECT project_id, unnest(keys) AS key FROM ${rows})
      GROUP BY project_id, key ORDER BY rows DESC LIMIT ${MAX_KEYS + 1}`,
  )
  const totals = await connection.runAndReadAll(
    `SELECT project_id, count(*)::DOUBLE FROM ${table} WHERE ${where} GROUP BY project_id`,
  )
  return {
    keys: counted.getRows().map(([projectId, key, hash, having]) => ({
      projectId: projectId as number,
      key: key as string,
      hash: hash as bigint,
      rows: having as number,
    })),
    rows: new Map(totals.getRows() as [number, number][]),
  }
}

export async function scanBlock(connection: DuckDBConnection, range: OrdRange): Promise<ScannedBlock> {
  return { ...range, ...(await scanKeys(connection, { table: 'events', where: within(range) })) }
}

interface KeyRow extends OrdRange {
  hash: bigint
  events: number
}

const KEY_COLUMNS: Column<KeyRow>[] = [
  { type: DOUBLE, value: ({ from }) => from },
  { type: DOUBLE, value: ({ to }) => to },
  { type: UBIGINT, value: ({ hash }) => hash },
  { type: DOUBLE, value: ({ events }) => events },
]

/** In a transaction. */
export async function addBlock(connection: DuckDBConnection, { from, to, keys }: ScannedBlock): Promise<void> {
  const byHash = new Map<bigint, number>()
  for (const { hash, rows } of keys.slice(0, MAX_KEYS)) byHash.set(hash, (byHash.get(hash) ?? 0) + rows)
  // One row at least: the last block says how far the keys are known.
  if (keys.length > MAX_KEYS || keys.length === 0) byHash.set(ANY_KEY, 0)
  const counted = [...byHash].map(([hash, events]) => ({ from, to, hash, events }))
  await appendRows(connection, 'key_blocks', KEY_COLUMNS, counted)
}

const isOneOf = (keys: string[], texts: Texts): string =>
  `key_hash IN (${[int(ANY_KEY), ...keys.map((key) => hashSql(texts.bind(key)))].join(', ')})`

/** The blocks that may have any of these keys, in order; those that follow each other as one. */
export async function blocksWith(connection: DuckDBConnection, keys: string[]): Promise<OrdRange[]> {
  const texts = new Texts()
  const sql = `SELECT DISTINCT from_ord::DOUBLE, to_ord::DOUBLE FROM key_blocks WHERE ${isOneOf(keys, texts)} ORDER BY 1`
  const ranges: OrdRange[] = []
  for (const [from, to] of (await texts.rows(connection, sql)) as [number, number][]) {
    const last = ranges.at(-1)
    if (last?.to === from) last.to = to
    else ranges.push({ from, to })
  }
  return ranges
}

/** How many events have each of these keys. */
export async function eventsWith(connection: DuckDBConnection, keys: string[]): Promise<Map<string, number>> {
  if (keys.length === 0) return new Map()
  const texts = new Texts()
  const sql = `SELECT key, coalesce(sum(events), 0)::DOUBLE FROM (SELECT unnest(${texts.list(keys)}) AS key)
    LEFT JOIN key_blocks ON key_hash = ${hashSql('key')} GROUP BY key`
  return new Map((await texts.rows(connection, sql)) as [string, number][])
}

/**
 * Which keys of events get columns: those that many events of a project have, with values that repeat. Values that hardly
 * repeat, as ids, would take almost as many bytes a second time as they take in the JSON.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { COMMON, type Room, widthOf } from '../../common-keys.ts'
import type { Limits } from '../progress.ts'
import {
  eventsWith,
  type LookedRows,
  type OrdRange,
  type ScannedBlock,
  type ScannedKeys,
  within,
} from '../properties/key-blocks.ts'
import {
  type EventColumn,
  type KnownColumns,
  type KnownProperties,
  MAX_BYTES,
  type PropertyColumn,
  type PropertyKind,
} from '../properties/property-columns.ts'
import { jsonPointer, singleThreaded } from '../properties/property-sql.ts'
import { Texts } from '../values/bound-texts.ts'

/** A key takes the place of another when so many times as many rows have it. */
const MUCH_MORE = 2
/** Only so much of a value is looked at. */
const MAX_LOOKED = MAX_BYTES + 1
/** New keys that are looked at together. */
const AT_ONCE = 24

const MAX_REFUSED = 1_000

/** Keys that were looked at and got no column, until all are looked at again. */
export type RefusedKeys = Set<string>

/** The keys that are common in a project that has as many rows at least, the most frequent first. */
export function commonKeys({ keys, rows }: ScannedKeys, fewest: number): string[] {
  const common = keys.filter(({ projectId, rows: having }) => {
    const all = rows.get(projectId) ?? 0
    return all >= fewest && having >= all * COMMON
  })
  return [...new Set(common.map(({ key }) => key))]
}

export interface Looked {
  key: string
  /** Null: its values are of different kinds. */
  kind: PropertyKind | null
  width: number
}

/** The first characters of JSON values of a kind. */
const FIRST: Record<PropertyKind, string> = { string: '["]', number: '[-0-9]', boolean: '[tf]' }
const KIND_NAMES = Object.keys(FIRST) as PropertyKind[]

/** What the values of these keys are like, in the rows that have them. A key that none has says nothing. */
export async function lookAt(
  connection: DuckDBConnection,
  keys: string[],
  { table, where }: LookedRows,
  { kindShare }: Limits,
): Promise<Looked[]> {
  if (keys.length === 0) return []
  const texts = new Texts()
  const ofKey = keys.map((_, place) => {
    const text = `left(v[${place + 1}]::VARCHAR, ${MAX_LOOKED})`
    const isShort = `strlen(${text}) <= ${MAX_BYTES}`
    const ofKind = KIND_NAMES.map(
      (kind) => `count(*) FILTER (${isShort} AND regexp_matches(left(${text}, 1), '${FIRST[kind]}'))::DOUBLE`,
    )
    return [
      `count(*) FILTER (${text} <> 'null')::DOUBLE`,
      `approx_count_distinct(${text})::DOUBLE`,
      `coalesce(sum(strlen(${text})), 0)::DOUBLE`,
      ...ofKind,
    ]
  })
  const rows = singleThreaded(
    `SELECT json_extract(properties, ${texts.list(keys.map(jsonPointer))}) AS v FROM ${table}
      WHERE ${where} AND long_id IS NULL`,
  )
  const [found = []] = await texts.rows(connection, `SELECT ${ofKey.flat().join(', ')} FROM ${rows}`)
  const numbers = found as number[]
  return keys.flatMap((key, place) => {
    const each = 3 + KIND_NAMES.length
    const [values = 0, different = 0, bytes = 0, ...ofKind] = numbers.slice(place * each, (place + 1) * each)
    if (values === 0) return []
    const kind = KIND_NAMES.find((_, at) => (ofKind[at] ?? 0) >= values * kindShare)
    return [{ key, kind: kind ?? null, width: widthOf(values, different, bytes) }]
  })
}

/** How many rows have a key, as far as is known. */
export type Frequency = (key: string) => number

export function frequencyIn({ keys }: ScannedKeys): Frequency {
  const having = new Map<string, number>()
  for (const { key, rows } of keys) having.set(key, (having.get(key) ?? 0) + rows)
  return (key) => having.get(key) ?? 0
}

async function frequencyOf(connection: DuckDBConnection, keys: string[], block: ScannedBlock): Promise<Frequency> {
  const before = await eventsWith(connection, keys)
  const inBlock = frequencyIn(block)
  return (key) => (before.get(key) ?? 0) + inBlock(key)
}

/** The least frequent column, if this key may take its place. */
function toReplace<C extends PropertyColumn>(columns: C[], frequency: Frequency, key: string): C | undefined {
  const [least] = columns.toSorted((a, b) => frequency(a.key) - frequency(b.key))
  return least && frequency(key) > frequency(least.key) * MUCH_MORE ? least : undefined
}

const widthOfAll = (columns: PropertyColumn[]): number => columns.reduce((sum, { width }) => sum + width, 0)

/** Blocks of a row group, in which the engine stores equal values once: fewer events would repeat less. */
const BLOCKS_LOOKED_AT = 4

const rowGroupUpTo = ({ to }: ScannedBlock, { blockEvents }: Limits): OrdRange => ({
  from: Math.max(0, to - BLOCKS_LOOKED_AT * blockEvents),
  to,
})

export interface ChosenColumns<C extends PropertyColumn> {
  /** Those there are, except for some that lost their place. */
  kept: C[]
  added: C[]
}

/** What values are like may change as a store grows: ids repeat in the first events of a few people. */
function isTimeToLookAgain({ from, to }: ScannedBlock, { blockEvents }: Limits): boolean {
  const doublings = (events: number) => Math.floor(Math.log2(events / blockEvents))
  return doublings(to) > doublings(from)
}

/** The keys that may have columns, the most frequent first, unless no kind fits their values. */
export const candidatesFor = (
  keys: string[],
  columns: PropertyColumn[],
  frequency: Frequency,
  { columns: most }: Room,
): string[] => keys.filter((key) => columns.length < most || toReplace(columns, frequency, key)).slice(0, AT_ONCE)

/** Gives places to these keys, in their order, as long as there is room or another key gives way. */
export function givePlaces<C extends PropertyColumn>(
  keys: Looked[],
  { columns: kept, inTable }: KnownColumns<C>,
  frequency: Frequency,
  room: Room,
  make: (column: PropertyColumn) => C,
): ChosenColumns<C> {
  let columns = kept
  let number = Math.max(0, ...inTable.map(({ name }) => Number(name.slice(1))))
  for (const { key, kind, width } of keys) {
    const replaced = columns.length < room.columns ? undefined : toReplace(columns, frequency, key)
    const others = columns.filter((column) => column !== replaced)
    if (kind === null || others.length >= room.columns || widthOfAll(others) + width > room.bytes) continue
    number += 1
    columns = [...others, make({ key, number, kind, hasNull: false, width })]
  }
  const isOld = (column: C) => kept.includes(column)
  return { kept: columns.filter(isOld), added: columns.filter((column) => !isOld(column)) }
}

/** The columns after the block: new ones for keys that are common in it. */
export async function chooseColumns(
  connection: DuckDBConnection,
  block: ScannedBlock,
  known: KnownProperties,
  refused: RefusedKeys,
  limits: Limits,
): Promise<ChosenColumns<EventColumn>> {
  const room = { columns: limits.columns, bytes: limits.allColumnBytes }
  const isTime = isTimeToLookAgain(block, limits)
  if (isTime || refused.size > MAX_REFUSED) refused.clear()
  const have = known.columns.map(({ key }) => key)
  const common = commonKeys(block, limits.commonEvents).filter((key) => !have.includes(key) && !refused.has(key))
  if (common.length === 0 && !isTime) return { kept: known.columns, added: [] }
  const frequency = await frequencyOf(connection, [...have, ...common], block)
  const candidates = candidatesFor(common, known.columns, frequency, room)
  const rows = { table: 'events', where: within(rowGroupUpTo(block, limits)) } as const
  const looked = await lookAt(connection, isTime ? [...have, ...candidates] : candidates, rows, limits)
  for (const { key, kind, width } of looked) if (kind === null || width > limits.columnBytes) refused.add(key)
  const columns = known.columns.filter(({ key }) => !refused.has(key))
  const fit = looked.filter(({ key }) => !have.includes(key) && !refused.has(key))
  const chosen = givePlaces(fit, { ...known, columns }, frequency, room, (column) => ({
    ...column,
    hasInJson: false,
    filled: 0,
  }))
  const hasPlaces = chosen.kept.length + chosen.added.length < room.columns
  // There are not enough bytes for them.
  for (const { key } of fit) if (hasPlaces && !chosen.added.some((column) => column.key === key)) refused.add(key)
  return chosen
}

/**
 * Which keys get columns: those that many events of a project have, with values that repeat. Values that hardly repeat,
 * as ids, would take almost as many bytes a second time as they take in the JSON.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import type { Limits } from '../progress.ts'
import { eventsWith, type OrdRange, type ScannedBlock, within } from '../properties/key-blocks.ts'
import {
  type KnownProperties,
  MAX_BYTES,
  type PropertyColumn,
  type PropertyKind,
} from '../properties/property-columns.ts'
import { jsonPointer, singleThreaded } from '../properties/property-sql.ts'
import { Texts } from '../values/bound-texts.ts'

/** A key is common when so large a part of a project's events in a block has it. */
const COMMON = 0.1
/** A key takes the place of another when so many times as many events have it. */
const MUCH_MORE = 2
/** So large a part of the values has to be of one kind: those of others are only in the JSON. */
const MOST_OF_A_KIND = 0.95
/** Only so much of a value is looked at. */
const MAX_LOOKED = MAX_BYTES + 1
/** Keys that are looked at after one block. */
const AT_ONCE = 24

const MAX_REFUSED = 1_000

/** Keys that were looked at and got no column, until all are looked at again. */
export type RefusedKeys = Set<string>

/** The keys that are common in a project of the block, the most frequent first. */
function commonKeys({ keys, events }: ScannedBlock, { commonEvents }: Limits): string[] {
  const common = keys.filter(({ projectId, events: having }) => {
    const all = events.get(projectId) ?? 0
    return all >= commonEvents && having >= all * COMMON
  })
  return [...new Set(common.map(({ key }) => key))]
}

interface Looked {
  key: string
  /** How many, apart from nulls. */
  values: number
  /** Null: its values are of different kinds. */
  kind: PropertyKind | null
  width: number
}

/** A column is stored as its different values and the place of each, or else as it is. */
function widthOf(values: number, different: number, bytes: number): number {
  const asTexts = bytes / values
  const asPlaces = (different * asTexts) / values + Math.ceil(Math.log2(different + 1)) / 8
  return Math.min(asTexts, asPlaces)
}

/** The first characters of JSON values of a kind. */
const FIRST: Record<PropertyKind, string> = { string: '["]', number: '[-0-9]', boolean: '[tf]' }
const KIND_NAMES = Object.keys(FIRST) as PropertyKind[]

/** What the values of these keys are like, in the events of the range that have them. */
async function lookAt(connection: DuckDBConnection, keys: string[], range: OrdRange): Promise<Looked[]> {
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
    `SELECT json_extract(properties, ${texts.list(keys.map(jsonPointer))}) AS v FROM events
      WHERE ${within(range)} AND long_id IS NULL`,
  )
  const [found = []] = await texts.rows(connection, `SELECT ${ofKey.flat().join(', ')} FROM ${rows}`)
  const numbers = found as number[]
  return keys.map((key, place) => {
    const each = 3 + KIND_NAMES.length
    const [values = 0, different = 0, bytes = 0, ...ofKind] = numbers.slice(place * each, (place + 1) * each)
    const kind = KIND_NAMES.find((_, at) => (ofKind[at] ?? 0) >= values * MOST_OF_A_KIND)
    const width = widthOf(Math.max(values, 1), different, bytes)
    return { key, values, kind: kind ?? null, width }
  })
}

/** How many events have a key, as far as is known. */
type Frequency = (key: string) => number

async function frequencyOf(connection: DuckDBConnection, keys: string[], block: ScannedBlock): Promise<Frequency> {
  const before = await eventsWith(connection, keys)
  const inBlock = new Map<string, number>()
  for (const { key, events } of block.keys) inBlock.set(key, (inBlock.get(key) ?? 0) + events)
  return (key) => (before.get(key) ?? 0) + (inBlock.get(key) ?? 0)
}

/** The least frequent column, if this key may take its place. */
function toReplace(columns: PropertyColumn[], frequency: Frequency, key: string): PropertyColumn | undefined {
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

export interface ChosenColumns {
  /** Those there are, except for some that lost their place. */
  kept: PropertyColumn[]
  added: PropertyColumn[]
}

/** What values are like may change as a store grows: ids repeat in the first events of a few people. */
function isTimeToLookAgain({ from, to }: ScannedBlock, { blockEvents }: Limits): boolean {
  const doublings = (events: number) => Math.floor(Math.log2(events / blockEvents))
  return doublings(to) > doublings(from)
}

/** Gives places to these keys, the most frequent first, as long as there are any or another key gives way. */
function givePlaces(
  keys: Looked[],
  known: KnownProperties,
  kept: PropertyColumn[],
  frequency: Frequency,
  refused: RefusedKeys,
  limits: Limits,
): ChosenColumns {
  let columns = kept
  let number = Math.max(0, ...known.inTable.map(({ name }) => Number(name.slice(1))))
  for (const { key, kind, width } of keys) {
    const replaced = columns.length < limits.columns ? undefined : toReplace(columns, frequency, key)
    const others = columns.filter((column) => column !== replaced)
    if (kind === null || others.length >= limits.columns) continue
    if (widthOfAll(others) + width > limits.allColumnBytes) {
      refused.add(key)
      continue
    }
    number += 1
    columns = [...others, { key, number, kind, hasNull: false, hasInJson: false, width, filled: 0 }]
  }
  const isOld = (column: PropertyColumn) => kept.includes(column)
  return { kept: columns.filter(isOld), added: columns.filter((column) => !isOld(column)) }
}

/** The columns after the block: new ones for keys that are common in it. */
export async function chooseColumns(
  connection: DuckDBConnection,
  block: ScannedBlock,
  known: KnownProperties,
  refused: RefusedKeys,
  limits: Limits,
): Promise<ChosenColumns> {
  const isTime = isTimeToLookAgain(block, limits)
  if (isTime || refused.size > MAX_REFUSED) refused.clear()
  const have = known.columns.map(({ key }) => key)
  const common = commonKeys(block, limits).filter((key) => !have.includes(key) && !refused.has(key))
  if (common.length === 0 && !isTime) return { kept: known.columns, added: [] }
  const frequency = await frequencyOf(connection, [...have, ...common], block)
  const isFull = known.columns.length >= limits.columns
  const candidates = common.filter((key) => !isFull || toReplace(known.columns, frequency, key)).slice(0, AT_ONCE)
  const keys = isTime ? [...have, ...candidates] : candidates
  if (keys.length === 0) return { kept: known.columns, added: [] }
  // A block without a key says nothing about it.
  const looked = (await lookAt(connection, keys, rowGroupUpTo(block, limits))).filter(({ values }) => values > 0)
  for (const { key, kind, width } of looked) if (kind === null || width > limits.columnBytes) refused.add(key)
  const kept = known.columns.filter(({ key }) => !refused.has(key))
  const fit = looked.filter(({ key }) => !have.includes(key) && !refused.has(key))
  return givePlaces(fit, known, kept, frequency, refused, limits)
}

/**
 * A page of a list in an order that no index has, with the total count: every portion is read, and only the first rows
 * of what was found are kept.
 */
import type { PageRequest } from '../../../model/page.ts'
import type { Connection } from '../connection.ts'
import { type Index, type Place, portionsOf } from './index-scan.ts'
import { PORTION, type Range } from './keyset-ranges.ts'

type Sorted = string | number | null

/** A row, and the values it is ordered by. */
interface SortedKey {
  id: number
  by: Sorted[]
}

const FIRST_SURROGATE = 0xd800
const AFTER_SURROGATES = 0xe000

/** In the order of code points: those written as surrogates come after all others. */
const rank = (unit: number): number =>
  unit >= AFTER_SURROGATES ? unit - AFTER_SURROGATES + FIRST_SURROGATE : unit + 0x2000

/** The order of the engine's texts: by code points, which is that of UTF-8. */
export function byText(a: string, b: string): number {
  const end = Math.min(a.length, b.length)
  for (let place = 0; place < end; place++) {
    const [left, right] = [a.charCodeAt(place), b.charCodeAt(place)]
    if (left === right) continue
    return left < FIRST_SURROGATE || right < FIRST_SURROGATE ? left - right : rank(left) - rank(right)
  }
  return a.length - b.length
}

function compareValues(a: Sorted, b: Sorted): number {
  return typeof a === 'string' || typeof b === 'string' ? byText(String(a), String(b)) : Number(a) - Number(b)
}

/** Nulls come last in either direction. */
function compareAt(a: Sorted, b: Sorted, descending: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return descending ? compareValues(b, a) : compareValues(a, b)
}

/** `descending`: for each of the values that rows are ordered by. */
const inOrder = (descending: boolean[]) => (a: SortedKey, b: SortedKey) => {
  for (const [place, down] of descending.entries()) {
    const compared = compareAt(a.by[place] ?? null, b.by[place] ?? null, down)
    if (compared !== 0) return compared
  }
  return 0
}

export interface SortedList {
  index: Index
  /** The matching keys of one portion. */
  keysIn: (range: Range<Place>) => Promise<SortedKey[]>
  descending: boolean[]
}

export async function sortedPage(
  connection: Connection,
  { index, keysIn, descending }: SortedList,
  { limit, offset }: PageRequest,
): Promise<{ count: number; ids: number[] }> {
  const wanted = offset + limit
  let count = 0
  let first: SortedKey[] = []
  const keepFirst = () => {
    first = first.sort(inOrder(descending)).slice(0, wanted)
  }
  for await (const range of portionsOf(connection, index)) {
    const keys = await keysIn(range)
    count += keys.length
    first = first.concat(keys)
    // Not each time: sorting takes longer than finding.
    if (first.length > 2 * wanted + PORTION) keepFirst()
  }
  keepFirst()
  return { count, ids: first.slice(offset).map(({ id }) => id) }
}

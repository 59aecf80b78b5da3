/** Joins the parts of long texts inside statements, a few texts at a time, as each may take a megabyte. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { int } from '../values/literal.ts'

/** Parts that one statement joins: some 1 to 3 MB of text, which take five times as much to parse. */
const PARTS_AT_ONCE = 125
/** Bounds the length of statements. */
const IDS_AT_ONCE = 500

/** The bounds are pushed down into the scan, the list is not. */
function among(ids: bigint[]): string {
  const sorted = ids.toSorted((a, b) => (a < b ? -1 : 1))
  const bounds = [sorted[0] ?? 0n, sorted.at(-1) ?? 0n].map(int)
  return `id BETWEEN ${bounds.join(' AND ')} AND id IN (${sorted.map(int).join(', ')})`
}

/** SQL of the texts under these ids: `id` and `properties`. */
export const rejoinTexts = (ids: bigint[]): string =>
  `SELECT id, string_agg(text, '' ORDER BY part) AS properties FROM long_texts WHERE ${among(ids)} GROUP BY id`

/** Ids in batches that may be joined at once, the latest first; ids that no longer exist are left out. */
export async function inBatches(connection: DuckDBConnection, ids: bigint[]): Promise<bigint[][]> {
  const groups: bigint[][] = []
  let parts = 0
  for (let start = 0; start < ids.length; start += IDS_AT_ONCE) {
    const some = among(ids.slice(start, start + IDS_AT_ONCE))
    const found = await connection.runAndReadAll(
      `SELECT id, count(*) FROM long_texts WHERE ${some} GROUP BY id ORDER BY id DESC`,
    )
    for (const [id, count] of found.getRows() as [bigint, bigint][]) {
      const group = groups.at(-1)
      parts += Number(count)
      if (group && group.length < IDS_AT_ONCE && parts <= PARTS_AT_ONCE) group.push(id)
      else {
        groups.push([id])
        parts = Number(count)
      }
    }
  }
  return groups
}

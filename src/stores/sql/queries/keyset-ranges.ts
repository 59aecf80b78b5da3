/**
 * A scan of an index in portions: each is a range between two of its rows, so that one statement reads a bounded number
 * of rows, whatever it finds among them. Rows added or removed meanwhile neither shift nor repeat others.
 */
import type { Connection } from '../connection.ts'

/** Maximum number of rows at once; fewer where they are slow to read. */
export const PORTION = 5_000
const LEAST = 10

/** How long a statement may take: other scans wait for it, and a short one among them has few turns to wait for. */
const TARGET_MS = 30

/** After the first row, up to and including the last; null where the index begins or ends. */
export interface Range<Row> {
  after: Row | null
  upTo: Row | null
}

/** The size of the next portion, when one of `size` rows took so long; it grows by steps. */
export function nextSize(size: number, tookMs: number): number {
  const fitting = Math.floor((size * TARGET_MS) / Math.max(1, tookMs))
  return Math.min(PORTION, 2 * size, Math.max(LEAST, fitting))
}

/** `rowAfter` returns the `count`-th row of the index after a row, null when there are fewer. */
export async function* portions<Row>(
  { pause }: Pick<Connection, 'pause'>,
  start: Row | null,
  rowAfter: (after: Row | null, count: number) => Promise<Row | null>,
): AsyncGenerator<Range<Row>> {
  let size = PORTION
  let after = start
  for (;;) {
    const upTo = await rowAfter(after, size)
    const before = performance.now()
    yield { after, upTo }
    if (upTo === null) return
    size = nextSize(size, performance.now() - before)
    after = upTo
    await pause()
  }
}

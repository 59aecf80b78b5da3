/**
 * A scan of an index in portions: each is a range between two of its rows, so that one statement reads a bounded number
 * of rows, whatever it finds among them. Rows added or removed meanwhile neither shift nor repeat others.
 */
import type { Connection } from '../connection.ts'

/** Maximum number of rows at once; fewer where they are slow to read. */
export const PORTION = 5_000
const LEAST = 50

/** A longer statement keeps the others waiting. */
const SLOW_MS = 100
const QUICK_MS = 25

/** After the first row, up to and including the last; null where the index begins or ends. */
export interface Range<Row> {
  after: Row | null
  upTo: Row | null
}

function nextSize(size: number, tookMs: number): number {
  if (tookMs > SLOW_MS) return Math.max(LEAST, Math.floor(size / 2))
  return tookMs < QUICK_MS ? Math.min(PORTION, size * 2) : size
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

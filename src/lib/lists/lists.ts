/** Small operations on lists. */

/** The items in their order, in parts of `size`: no part where there are no items, the last one may be shorter. */
export function chunks<T>(items: T[], size: number): T[][] {
  const parts: T[][] = []
  for (let start = 0; start < items.length; start += size) parts.push(items.slice(start, start + size))
  return parts
}

/** Of rows with the same key the last one, in the order in which the keys came first. */
export const lastOfEach = <T>(rows: T[], key: (row: T) => string): T[] => [
  ...new Map(rows.map((row) => [key(row), row])).values(),
]

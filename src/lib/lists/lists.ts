/** Small operations on lists. */

/** The items in their order, in parts of `size`: no part where there are no items, the last one may be shorter. */
export function chunks<T>(items: T[], size: number): T[][] {
  const parts: T[][] = []
  for (let start = 0; start < items.length; start += size) parts.push(items.slice(start, start + size))
  return parts
}

/**
 * Of rows with the same key within the same group the last one; group by group, in the order in which groups and keys
 * came first. Two keys instead of a text of both, which would have to be made for each row.
 */
export function lastOfEach<T>(rows: T[], group: (row: T) => number, key: (row: T) => number | string): T[] {
  const groups = new Map<number, Map<number | string, T>>()
  for (const row of rows) {
    const of = group(row)
    let last = groups.get(of)
    if (!last) {
      last = new Map()
      groups.set(of, last)
    }
    last.set(key(row), row)
  }
  return [...groups.values()].flatMap((last) => [...last.values()])
}

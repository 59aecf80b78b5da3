/** The items in their order, so many at a time: no list where there are none, the last one may be shorter. */
export function chunks<T>(items: T[], size: number): T[][] {
  const parts: T[][] = []
  for (let start = 0; start < items.length; start += size) parts.push(items.slice(start, start + size))
  return parts
}

/** Splits a list into chunks of `size`, in order; the last one may be shorter, and an empty list has none. */
export function chunks<T>(items: T[], size: number): T[][] {
  const parts: T[][] = []
  for (let start = 0; start < items.length; start += size) parts.push(items.slice(start, start + size))
  return parts
}

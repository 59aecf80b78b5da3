/** Which interval an instant lies in. */

/** Null outside of all. Interval i begins at edges[i] and ends before edges[i + 1]. */
export function intervalAt(edges: number[], at: number): number | null {
  let found: number | null = null
  let [low, high] = [0, edges.length - 2]
  while (low <= high) {
    const middle = Math.floor((low + high) / 2)
    if ((edges[middle] as number) <= at) {
      found = middle
      low = middle + 1
    } else high = middle - 1
  }
  return found === null || at >= (edges.at(-1) as number) ? null : found
}

/** The value that the share `p` of the sorted values does not exceed, between two of them in proportion. */
export function percentile(values: number[], p: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const place = (sorted.length - 1) * p
  const [low, high] = [sorted[Math.floor(place)] as number, sorted[Math.ceil(place)] as number]
  return low + (high - low) * (place - Math.floor(place))
}

export const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0)

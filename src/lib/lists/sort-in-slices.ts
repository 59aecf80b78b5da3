/** Sorts many items on the thread that answers requests, a slice at a time. */
import { Slices } from '../concurrency/time-slices.ts'
import { chunks } from './lists.ts'

/** So many are sorted in one go: at most half a millisecond. */
const RUN = 500

/** As often it is checked whether the slice is over: the look at the clock takes longer than a comparison. */
const CHECK_EVERY = 128

type Compare<T> = (a: T, b: T) => number

async function merge<T>(a: T[], b: T[], compare: Compare<T>, slices: Slices): Promise<T[]> {
  const merged: T[] = []
  let [left, right] = [0, 0]
  while (left < a.length && right < b.length) {
    const [first, second] = [a[left] as T, b[right] as T]
    // Of equal ones the first stays the first.
    if (compare(second, first) < 0) {
      merged.push(second)
      right += 1
    } else {
      merged.push(first)
      left += 1
    }
    if (merged.length % CHECK_EVERY === 0 && slices.isOver) await slices.rest()
  }
  return merged.concat(left < a.length ? a.slice(left) : b.slice(right))
}

/** In a new list, in the same order as `toSorted`. */
export async function sortInSlices<T>(items: T[], compare: Compare<T>): Promise<T[]> {
  const slices = new Slices()
  let runs: T[][] = []
  for (const run of chunks(items, RUN)) {
    runs.push(run.sort(compare))
    if (slices.isOver) await slices.rest()
  }
  while (runs.length > 1) {
    const longer: T[][] = []
    for (const [a = [], b = []] of chunks(runs, 2)) longer.push(await merge(a, b, compare, slices))
    runs = longer
  }
  return runs[0] ?? []
}

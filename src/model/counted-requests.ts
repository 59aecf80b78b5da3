/** What processes have counted against rate limits, told to the others through the store. */

/** How many, by the name of a limit's bucket. */
type Counts = Record<string, number>

interface CountedRequests {
  /** Later ones have greater ids; for a moment one may be seen before another with a smaller id. */
  id: number
  /** Who has counted them. */
  process: string
  at: number
  counts: Counts
}

export interface CountedRequestReader {
  /** Those with a greater id, of that instant or later, in the order of their ids. */
  after(id: number, from: number): Promise<CountedRequests[]>
}

export interface CountedRequestWriter extends CountedRequestReader {
  add(counted: Omit<CountedRequests, 'id'>): Promise<void>
  /** Returns how many of them it has removed. */
  removeBefore(instant: number, limit: number): Promise<number>
}

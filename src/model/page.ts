/** Rules for all paged lists. */

export interface PageRequest {
  limit: number
  offset: number
}

/**
 * Maximum size of a page: a larger one is cut to fewer than `limit` rows, but never to none if there are any.
 * The reader continues after the last row it got.
 */
export const PAGE_BYTES = 16_000_000

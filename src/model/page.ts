/** What every list keeps to. */

export interface PageRequest {
  limit: number
  offset: number
}

/**
 * A page of a list holds at most this much: beyond it there are fewer than `limit`, but always one if there is any.
 * Whoever wants the rest goes on after what was given.
 */
export const PAGE_BYTES = 16_000_000

/**
 * Paging: limit and offset, the cursor of lists that have one, the envelope, and links that keep all other parameters.
 */
import { Type } from 'typebox'
import { invalid } from '../../lib/errors.ts'
import type { PageRequest } from '../../model/page.ts'

export const MAX_LIMIT = 1_000

/** Part of the description of every `limit`. */
export const CUT_SHORT =
  'A page of more than 16 MB is cut short: it has fewer results, and `next` goes on after the last of them.'

/** Query parameters of a paged list. */
export const pageQuery = (defaultLimit = 100) => ({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: `Results per page: ${defaultLimit} unless given, at most ${MAX_LIMIT}. ${CUT_SHORT}`,
    }),
  ),
  offset: Type.Optional(Type.Integer({ minimum: 0, description: 'Index of the first result.' })),
})

/** Caps the offset at the largest number that the stores can handle; no list is that long. */
export function readPage(query: { limit?: number; offset?: number }, defaultLimit = 100): PageRequest {
  return {
    limit: Math.min(query.limit ?? defaultLimit, MAX_LIMIT),
    offset: Math.min(query.offset ?? 0, Number.MAX_SAFE_INTEGER),
  }
}

/** Where a page begins and what its envelope counts, as `next` of the page before tells it. */
export interface Cursor {
  /** Of the first page; only shown again. */
  count: number
  /** The numbers by which the list is ordered, of the last result before the page. */
  place: number[]
}

/** Query parameter of a list whose pages may begin after a result. */
export const cursorQuery = {
  cursor: Type.Optional(
    Type.String({
      description:
        'As given by `next`: the page begins after the last result of the page before, whatever was added or removed since, and `count` is that of the first page. `offset` then serves the links only.',
    }),
  ),
}

const writeCursor = ({ count, place }: Cursor): string => [count, ...place].join('_')

/** `places`: by how many numbers the list is ordered. Null when the page begins at an offset. */
export function readCursor(text: string | undefined, places: number): Cursor | null {
  if (text === undefined) return null
  const parts = text.split('_')
  const [count = Number.NaN, ...place] = parts.map(Number)
  const isOurs = parts.every((part, n) => part === String([count, ...place][n])) && place.every(Number.isFinite)
  if (!isOurs || place.length !== places || !Number.isSafeInteger(count) || count < 0) {
    throw invalid('This is no cursor of this list. Follow `next` as it was given.', 'cursor')
  }
  return { count, place }
}

function linkTo(url: URL, parameters: Record<string, number | string | null>): string {
  const link = new URL(url)
  for (const [name, value] of Object.entries(parameters)) {
    if (value === null) link.searchParams.delete(name)
    else link.searchParams.set(name, String(value))
  }
  return link.href
}

/** Continues after the results given, which may be fewer than `limit`. */
function nextLink(url: URL, page: PageRequest, count: number, given: number): string | null {
  const offset = page.offset + given
  return given > 0 && offset < count ? linkTo(url, { limit: page.limit, offset }) : null
}

/** Continues after a place; `offset` is for clients that count for themselves, and for `previous`. */
function nextAfter(url: URL, page: PageRequest, given: number, cursor: Cursor): string {
  const offset = Math.min(page.offset + given, Number.MAX_SAFE_INTEGER)
  return linkTo(url, { limit: page.limit, offset, cursor: writeCursor(cursor) })
}

function previousLink(url: URL, page: PageRequest): string | null {
  if (page.offset === 0) return null
  const offset = page.offset - page.limit
  return linkTo(url, { limit: page.limit, offset: offset > 0 ? offset : null, cursor: null })
}

/**
 * The envelope of every list. Of one with cursors, `last` is the place of the last result, null when no more follow.
 */
export const pageOf = <T>(url: URL, page: PageRequest, count: number, results: T[], last?: number[] | null) => ({
  count,
  next:
    last === undefined
      ? nextLink(url, page, count, results.length)
      : last && nextAfter(url, page, results.length, { count, place: last }),
  previous: previousLink(url, page),
  results,
})

/** limit/offset paging: the two parameters, the envelope, and links that keep all other parameters. */
import { Type } from 'typebox'
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

function linkTo(url: URL, parameters: Record<string, number | null>): string {
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

function previousLink(url: URL, page: PageRequest): string | null {
  if (page.offset === 0) return null
  const offset = page.offset - page.limit
  return linkTo(url, { limit: page.limit, offset: offset > 0 ? offset : null })
}

/** The envelope of every list. */
export const pageOf = <T>(url: URL, page: PageRequest, count: number, results: T[]) => ({
  count,
  next: nextLink(url, page, count, results.length),
  previous: previousLink(url, page),
  results,
})

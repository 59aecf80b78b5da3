/** All people that a filter leaves, of which those in sight are asked for. */
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { PER_PAGE, type PeopleFilter, type PersonRow, peoplePageQuery } from './people.ts'

/** While somebody scrolls past, nothing is asked for. */
const REST_MS = 60

interface Range {
  first: number
  last: number
}

/** The pages that hold these rows, and the ones next to them. */
function pagesAround({ first, last }: Range, count: number): number[] {
  const end = Math.max(0, Math.ceil(count / PER_PAGE) - 1)
  const from = Math.max(0, Math.floor(first / PER_PAGE) - 1)
  const to = Math.min(end, Math.floor(last / PER_PAGE) + 1)
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, place) => from + place)
}

/**
 * The people that a filter leaves, as one long list of which the rows in sight are fetched. While the first page of
 * another filter is on its way, those of the filter before stay. `filter`: the same object as long as it says the same.
 */
export function usePeople(projectId: number, filter: PeopleFilter) {
  const queries = useQueryClient()
  const first = useQuery(peoplePageQuery(projectId, filter, 0))
  const [shown, setShown] = useState(filter)
  if (first.data && shown !== filter) setShown(filter)
  const [range, setRange] = useState<Range>({ first: 0, last: 0 })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const onRange = useCallback((from: number, to: number) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setRange({ first: from, last: to }), REST_MS)
  }, [])
  const head = queries.getQueryData(peoplePageQuery(projectId, shown, 0).queryKey) ?? first.data
  const count = head?.count ?? 0
  const asked = pagesAround(range, count)
  const pages = useQueries({ queries: asked.map((page) => peoplePageQuery(projectId, shown, page)) })
  const loaded = new Map(pages.map(({ data }, place) => [asked[place], data]))
  const rowAt = (index: number): PersonRow | undefined => {
    const page = Math.floor(index / PER_PAGE)
    const known = loaded.get(page) ?? queries.getQueryData(peoplePageQuery(projectId, shown, page).queryKey)
    return known?.results[index % PER_PAGE]
  }
  /** Rows that may not have been in sight. */
  const read = async (from: number, to: number): Promise<PersonRow[]> => {
    const [firstPage, lastPage] = [Math.floor(from / PER_PAGE), Math.floor(to / PER_PAGE)]
    const places = Array.from({ length: lastPage - firstPage + 1 }, (_, place) => firstPage + place)
    const found = await Promise.all(
      places.map((page) => queries.ensureQueryData(peoplePageQuery(projectId, shown, page))),
    )
    const rows = found.flatMap(({ results }) => results)
    return rows.slice(from - firstPage * PER_PAGE, to + 1 - firstPage * PER_PAGE)
  }
  const failed = [first, ...pages].find(({ error }) => error !== null)
  return {
    count,
    rowAt,
    onRange,
    read,
    isKnown: head !== undefined,
    /** What is shown is that of the filter before. */
    isBehind: shown !== filter,
    error: failed?.error ?? null,
    retry: () => void failed?.refetch(),
  }
}

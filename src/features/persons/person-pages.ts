/**
 * The persons of a list, page by page or as a whole. The SQL store answers what it finds by an index, also while the
 * event store is behind; every other filter is asked of the event store, which gives ids, and the rows are read by key.
 * A person that is gone by then is left out.
 */
import { PAGE_BYTES } from '../../model/page.ts'
import type {
  Person,
  PersonCursor,
  PersonFilter,
  PersonLookup,
  PersonPage,
  PersonPageRequest,
} from '../../model/persons/person.ts'
import { NEWEST_FIRST, type PersonOrder } from '../../model/persons/person-search.ts'
import type { Stores } from '../../model/stores.ts'

export interface CountedPage extends PersonPage {
  count: number
}

/** A page of the list; `count`: as an earlier page told it, null when it is to be counted. */
export interface PageWanted extends PersonPageRequest {
  count: number | null
}

/** Who is listed, and for whom. */
export interface PersonsWanted {
  projectId: number
  filter: PersonFilter
  /** NEWEST_FIRST: as the SQL store has them. */
  order: PersonOrder
  signal: AbortSignal
}

/** Persons read at once for a list that is sent as a whole. */
const WALKED_AT_ONCE = 1_000
const WALKED_BYTES = PAGE_BYTES / 4

/** What an index answers; null when more is asked for. */
function lookupOf({ filter, order }: PersonsWanted): PersonLookup | null {
  const { search, email, distinctId, updatedAfter, properties } = filter
  if (order !== NEWEST_FIRST) return null
  if (search !== undefined || updatedAfter !== undefined || properties !== undefined) return null
  if (email !== undefined && distinctId !== undefined) return null
  return { ...(email === undefined ? {} : { email }), ...(distinctId === undefined ? {} : { distinctId }) }
}

/** All that `read` gives, page by page, each time it is called; null ends it. `given`: how many came before. */
const pagesOf = (read: (after: PersonCursor | null, given: number) => Promise<PersonPage> | null) =>
  async function* (): AsyncGenerator<Person[]> {
    let after: PersonCursor | null = null
    let given = 0
    do {
      const page: PersonPage | null = await read(after, given)
      if (!page) return
      given += page.persons.length
      if (page.persons.length > 0) yield page.persons
      after = page.next
    } while (after)
  }

export function createPersonPages({ persons, events }: Pick<Stores, 'persons' | 'events'>) {
  async function indexedPage(wanted: PersonsWanted, lookup: PersonLookup, page: PageWanted): Promise<CountedPage> {
    const { projectId, signal } = wanted
    const [found, count] = await Promise.all([
      persons.list(projectId, lookup, page, signal),
      page.count ?? persons.count(projectId, lookup, signal),
    ])
    return { ...found, count }
  }

  async function scannedPage(
    { projectId, filter, order, signal }: PersonsWanted,
    page: PageWanted,
  ): Promise<CountedPage> {
    const { limit, offset, after, count } = page
    const start = after ? { after } : { offset }
    // One more than the page has, to know whether any follow.
    const request = { ...start, order, limit: limit + 1, withCount: count === null }
    const found = await events.findPersons(projectId, filter, request, signal)
    const ids = [...found.ids.subarray(0, limit)]
    const { persons: rows, taken } = await persons.listByIds(projectId, ids, PAGE_BYTES, signal)
    const last = { time: found.times[taken - 1] ?? 0, id: found.ids[taken - 1] ?? 0 }
    return { persons: rows, next: taken < found.ids.length ? last : null, count: count ?? found.count ?? 0 }
  }

  /** The ids are found once, however often the rows are read. */
  function scannedRows({ projectId, filter, order, signal }: PersonsWanted, page: PersonPageRequest | null) {
    let finding: Promise<Float64Array> | undefined
    const findIds = async () => {
      const { limit, offset, after } = page ?? { limit: Number.POSITIVE_INFINITY, offset: 0 }
      const start = after ? { after } : { offset }
      return (await events.findPersons(projectId, filter, { ...start, order, limit, withCount: false }, signal)).ids
    }
    return async function* (): AsyncGenerator<Person[]> {
      finding ??= findIds()
      const ids = await finding
      for (let place = 0; place < ids.length; ) {
        const some = [...ids.subarray(place, place + WALKED_AT_ONCE)]
        const { persons: rows, taken } = await persons.listByIds(projectId, some, WALKED_BYTES, signal)
        place += taken
        if (rows.length > 0) yield rows
      }
    }
  }

  return {
    /** One page, of at most PAGE_BYTES. */
    page(wanted: PersonsWanted, page: PageWanted): Promise<CountedPage> {
      const lookup = lookupOf(wanted)
      return lookup ? indexedPage(wanted, lookup, page) : scannedPage(wanted, page)
    },

    /** Everyone, each time it is called. */
    all(wanted: PersonsWanted): () => AsyncGenerator<Person[]> {
      const { projectId, signal } = wanted
      const lookup = lookupOf(wanted)
      if (!lookup) return scannedRows(wanted, null)
      return pagesOf((after) => persons.listAfter(projectId, lookup, after, WALKED_AT_ONCE, signal))
    },

    /** One page, however large, each time it is called. */
    wholePage(wanted: PersonsWanted, page: PersonPageRequest): () => AsyncGenerator<Person[]> {
      const { projectId, signal } = wanted
      const lookup = lookupOf(wanted)
      if (!lookup) return scannedRows(wanted, page)
      return pagesOf((after, given) => {
        const limit = page.limit - given
        if (limit === 0) return null
        return persons.list(projectId, lookup, after ? { limit, offset: 0, after } : page, signal)
      })
    },
  }
}

/** Many persons: the list and its filters, values of a property, look-ups of several at once. */

import { invalid } from '../../lib/errors.ts'
import { readUuid } from '../../lib/ids.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { parseInstant } from '../../lib/time/time.ts'
import type { Project } from '../../model/accounts/project.ts'
import type { PageRequest } from '../../model/page.ts'
import type { Person, PersonFilter } from '../../model/persons/person.ts'
import { NEWEST_FIRST, type PersonOrder } from '../../model/persons/person-search.ts'
import type { Stores } from '../../model/stores.ts'
import { createPageSizeLimit } from '../../rules/filters/page-size-limit.ts'
import { readPropertyFilter } from '../../rules/filters/property-filter.ts'
import { readJsonParameter, UNPARSABLE } from './parameters.ts'
import { found, readPersonRef } from './person-id.ts'
import { createPersonPages, type PageWanted, type PersonsWanted } from './person-pages.ts'
import { type PersonRow, type PersonView, viewMinimal, viewRow } from './person-view.ts'

export interface ListParts {
  stores: Pick<Stores, 'persons' | 'events'>
  clock: Clock
}

export interface ListQuery {
  search?: string
  email?: string
  distinct_id?: string
  properties?: string
  updated_after?: string
  ordering?: (typeof ORDERINGS)[number]
}

const MAX_BATCH = 200

export const ORDERINGS = ['-created_at', 'created_at', '-last_seen_at', 'last_seen_at'] as const

const ORDERS: Record<(typeof ORDERINGS)[number], PersonOrder> = {
  '-created_at': NEWEST_FIRST,
  created_at: { by: 'createdAt', isAscending: true },
  '-last_seen_at': { by: 'lastSeenAt', isAscending: false },
  last_seen_at: { by: 'lastSeenAt', isAscending: true },
}

/** An empty parameter means none, as in a form. */
function readFilter(query: ListQuery, now: number): PersonFilter {
  const properties = readPropertyFilter(readJsonParameter(query.properties, 'properties', UNPARSABLE), now)
  return {
    ...(query.search ? { search: query.search } : {}),
    ...(query.email ? { email: query.email } : {}),
    ...(query.distinct_id ? { distinctId: query.distinct_id } : {}),
    ...(query.updated_after ? { updatedAfter: parseInstant(query.updated_after, 'updated_after') } : {}),
    ...(properties ? { properties } : {}),
  }
}

/** A value that is not a list means no persons; items beyond the limit are ignored, as clients of this route expect. */
const batchOf = (value: unknown): unknown[] => (Array.isArray(value) ? value.slice(0, MAX_BATCH) : [])

function readBatchUuid(value: unknown): string {
  const uuid = typeof value === 'string' ? readUuid(value) : null
  if (uuid === null) throw invalid('One or more UUIDs are invalid.', 'uuids')
  return uuid
}

/** One after the other, as a person may be large; missing ones are left out. An answer without pages cannot be cut. */
async function readEach(
  project: Project,
  ids: string[],
  find: (id: string) => Promise<Person | null>,
  attr: string,
): Promise<Record<string, PersonView>> {
  const fits = createPageSizeLimit()
  const found: [string, PersonView][] = []
  for (const id of new Set(ids)) {
    const person = await find(id)
    if (!person) continue
    if (!fits(person.properties))
      throw invalid('These persons are more than 16 MB together. Ask for fewer at once.', attr)
    found.push([id, viewMinimal(project, person)])
  }
  return Object.fromEntries(found)
}

/** Where a page of the list begins. */
export interface ListPage extends PageRequest {
  cursor: { count: number; place: number[] } | null
}

/** A cursor comes from the client: what no person can have is refused. */
function pageWanted({ limit, offset, cursor }: ListPage): PageWanted {
  if (!cursor) return { limit, offset, count: null }
  const [time = Number.NaN, id = Number.NaN] = cursor.place
  if (!Number.isSafeInteger(id) || Number.isNaN(new Date(time).getTime())) {
    throw invalid('No person can be at the place of this cursor. Follow `next` as it was given.', 'cursor')
  }
  return { limit, offset, count: cursor.count, after: { time, id } }
}

const rowsOf = (project: Project, pages: () => AsyncGenerator<Person[]>) =>
  async function* (): AsyncGenerator<PersonRow[]> {
    for await (const persons of pages()) yield persons.map((person) => viewRow(project, person))
  }

export function createPersonList({ stores, clock }: ListParts) {
  const { persons, events } = stores
  const pages = createPersonPages(stores)
  const wanted = (project: Project, query: ListQuery, signal: AbortSignal): PersonsWanted => ({
    projectId: project.id,
    filter: readFilter(query, clock.now()),
    order: ORDERS[query.ordering ?? '-created_at'],
    signal,
  })
  return {
    async list(project: Project, query: ListQuery, page: ListPage, signal: AbortSignal) {
      const found = await pages.page(wanted(project, query, signal), pageWanted(page))
      const { count, next } = found
      const items = found.persons.map((person) => viewRow(project, person))
      return { count, items, last: next && [next.time, next.id] }
    },

    /** Every row of the list, page by page, each time it is called; filters are read at once. */
    walk: (project: Project, query: ListQuery, signal: AbortSignal) =>
      rowsOf(project, pages.all(wanted(project, query, signal))),

    /** One page of it, however large. */
    walkPage: (project: Project, query: ListQuery, page: ListPage, signal: AbortSignal) =>
      rowsOf(project, pages.wholePage(wanted(project, query, signal), pageWanted(page))),

    /** `$virt…` properties are not computed here, so they have no values. */
    async values(project: Project, key: string | undefined, search: string | undefined, signal: AbortSignal) {
      if (!key || key.startsWith('$virt')) return []
      return events.personValues({ projectId: project.id, key, search: search || null }, signal)
    },

    async byDistinctIds(project: Project, given: unknown): Promise<Record<string, PersonView>> {
      const ids = batchOf(given).filter((item) => typeof item === 'string')
      return readEach(project, ids, (id) => persons.findByDistinctId(project.id, id), 'distinct_ids')
    },

    async byUuids(project: Project, given: unknown): Promise<Record<string, PersonView>> {
      const asked = new Map(batchOf(given).map((text) => [String(text), readBatchUuid(text)]))
      const find = (text: string) => persons.find(project.id, { uuid: asked.get(text) as string })
      return readEach(project, [...asked.keys()], find, 'uuids')
    },

    /** There are no cohorts, so the list is empty; an unknown person is still a 404. */
    async cohorts(project: Project, personId: string): Promise<never[]> {
      found(await persons.find(project.id, readPersonRef(personId)))
      return []
    },
  }
}

/** Many persons: the list and its filters, values of a property, look-ups of several at once. */

import { invalid } from '../../lib/errors.ts'
import { readUuid } from '../../lib/ids.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { parseInstant } from '../../lib/time/time.ts'
import type { Project } from '../../model/accounts/project.ts'
import type { PageRequest } from '../../model/page.ts'
import type { Person, PersonCursor, PersonFilter, PersonPage, PersonPageRequest } from '../../model/persons/person.ts'
import type { Stores } from '../../model/stores.ts'
import { createPageSizeLimit } from '../../rules/filters/page-size-limit.ts'
import { readPropertyFilter } from '../../rules/filters/property-filter.ts'
import { readJsonParameter, UNPARSABLE } from './parameters.ts'
import { found, readPersonRef } from './person-id.ts'
import { type PersonRow, type PersonView, viewMinimal, viewRow } from './person-view.ts'

export interface ListParts {
  stores: Pick<Stores, 'persons'>
  clock: Clock
}

export interface ListQuery {
  search?: string
  email?: string
  distinct_id?: string
  properties?: string
  updated_after?: string
}

const MAX_BATCH = 200

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

function afterCursor({ limit, offset, cursor }: ListPage): PersonPageRequest {
  const [createdAt, id] = cursor?.place ?? []
  return createdAt === undefined || id === undefined ? { limit, offset } : { limit, offset, after: { createdAt, id } }
}

/** Persons read at once for a list that is sent as a whole. */
const WALKED_AT_ONCE = 1_000

/** All that `read` gives, page by page, each time it is called; null ends it. `given`: how many came before. */
const rowsOf = (project: Project, read: (after: PersonCursor | null, given: number) => Promise<PersonPage> | null) =>
  async function* (): AsyncGenerator<PersonRow[]> {
    let after: PersonCursor | null = null
    let given = 0
    do {
      const page: PersonPage | null = await read(after, given)
      if (!page) return
      given += page.persons.length
      if (page.persons.length > 0) yield page.persons.map((person) => viewRow(project, person))
      after = page.next
    } while (after)
  }

export function createPersonList({ stores, clock }: ListParts) {
  const { persons } = stores
  return {
    async list(project: Project, query: ListQuery, page: ListPage, signal: AbortSignal) {
      const filter = readFilter(query, clock.now())
      const [{ persons: found, next }, count] = await Promise.all([
        persons.list(project.id, filter, afterCursor(page), signal),
        page.cursor?.count ?? persons.count(project.id, filter, signal),
      ])
      return { count, items: found.map((person) => viewRow(project, person)), last: next && [next.createdAt, next.id] }
    },

    /** Every row of the list, page by page, each time it is called; filters are read at once. */
    walk(project: Project, query: ListQuery, signal: AbortSignal): () => AsyncGenerator<PersonRow[]> {
      const filter = readFilter(query, clock.now())
      return rowsOf(project, (after) => persons.listAfter(project.id, filter, after, WALKED_AT_ONCE, signal))
    },

    /** One page of it, however large. */
    walkPage(project: Project, query: ListQuery, page: ListPage, signal: AbortSignal) {
      const filter = readFilter(query, clock.now())
      return rowsOf(project, (after, given) => {
        const limit = page.limit - given
        if (limit === 0) return null
        return persons.list(project.id, filter, after ? { limit, offset: 0, after } : afterCursor(page), signal)
      })
    },

    /** `$virt…` properties are not computed here, so they have no values. */
    async values(project: Project, key: string | undefined, search: string | undefined, signal: AbortSignal) {
      if (!key || key.startsWith('$virt')) return []
      return persons.topValues(project.id, key, search || null, signal)
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

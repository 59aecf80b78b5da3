/** Many persons: the list and its filters, values of a property, look-ups of several at once. */
import type { Clock } from '../../lib/clock.ts'
import { invalid } from '../../lib/errors.ts'
import { readUuid } from '../../lib/ids.ts'
import { parseInstant } from '../../lib/time.ts'
import { walk } from '../../lib/walk.ts'
import type { Person, PersonFilter } from '../../model/person.ts'
import type { Project } from '../../model/project.ts'
import type { Stores } from '../../model/stores.ts'
import { readPropertyFilter } from '../../rules/property-filter.ts'
import { readJsonParameter, UNPARSABLE } from './parameters.ts'
import { found, readPersonRef } from './person-ref.ts'
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

/** An empty parameter asks for nothing, as in a form. */
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

/** What is no list names nobody; beyond the bound the rest is left out, as clients of this route expect. */
const batchOf = (value: unknown): unknown[] => (Array.isArray(value) ? value.slice(0, MAX_BATCH) : [])

function readBatchUuid(value: unknown): string {
  const uuid = typeof value === 'string' ? readUuid(value) : null
  if (uuid === null) throw invalid('One or more UUIDs are invalid.', 'uuids')
  return uuid
}

export function createPersonList({ stores, clock }: ListParts) {
  const { persons } = stores
  return {
    async list(project: Project, query: ListQuery, page: { limit: number; offset: number }) {
      const filter = readFilter(query, clock.now())
      const items = await persons.list(project.id, filter, page)
      return { count: await persons.count(project.id, filter), items: items.map((person) => viewRow(project, person)) }
    },

    /** Every row of the list, page by page, as often as it is called; filters are read at once. */
    walk(project: Project, query: ListQuery): () => AsyncGenerator<PersonRow[]> {
      const filter = readFilter(query, clock.now())
      return walk<Person, PersonRow>(
        (after, limit) => persons.listAfter(project.id, filter, after, limit),
        (found) => found.map((person) => viewRow(project, person)),
      )
    },

    /** `$virt…` properties are computed by nobody here, so they have no values. */
    async values(project: Project, key: string | undefined, search: string | undefined) {
      if (!key || key.startsWith('$virt')) return []
      return persons.topValues(project.id, key, search || null)
    },

    async byDistinctIds(project: Project, given: unknown): Promise<Record<string, PersonView>> {
      const ids = batchOf(given).filter((item) => typeof item === 'string')
      const known = await persons.findByDistinctIds(project.id, ids)
      return Object.fromEntries([...known].map(([id, person]) => [id, viewMinimal(project, person)]))
    },

    async byUuids(project: Project, given: unknown): Promise<Record<string, PersonView>> {
      const asked = batchOf(given).map((text) => [text, readBatchUuid(text)] as const)
      const refs = asked.map(([, uuid]) => ({ uuid }))
      const byUuid = new Map((await persons.findMany(project.id, refs)).map((person) => [person.uuid, person]))
      const results = asked.flatMap(([text, uuid]) => {
        const person = byUuid.get(uuid)
        return person ? [[text, viewMinimal(project, person)] as const] : []
      })
      return Object.fromEntries(results)
    },

    /** Nobody is in a cohort as long as there are none; an unknown person is told apart all the same. */
    async cohorts(project: Project, personId: string): Promise<never[]> {
      found(await persons.find(project.id, readPersonRef(personId)))
      return []
    },
  }
}

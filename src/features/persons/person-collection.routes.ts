/** /persons/: the list, values of a property, and look-ups of several persons or moments. */
import { isWhole, wholeCsv } from '../../http/output/output-format.ts'
import { pageOf, readCursor, readPage } from '../../http/output/pagination.ts'
import { type Route, route } from '../../http/route.ts'
import { Page } from '../../http/schema.ts'
import {
  Cohorts,
  CohortsQuery,
  CREATE_REFUSED,
  DistinctIdsBody,
  ListQuery,
  PersonRowBody,
  PersonsByKey,
  ROW_COLUMNS,
  ROW_EXAMPLE,
  UuidsBody,
  Values,
  ValuesQuery,
} from './person-collection.schema.ts'
import type { PersonsFeature } from './persons.feature.ts'
import { MomentQuery, PERSON_COLUMNS, PERSON_EXAMPLE, PersonAtTime } from './persons.schema.ts'

const base = { level: 'project', tag: 'persons', scope: 'person:read' } as const
/** Persons are ordered by two numbers. */
const PLACES = 2
const rowsOf = (body: { results: unknown[] }) => body.results
const listCsv = { fileName: 'persons', columns: ROW_COLUMNS, rows: rowsOf }
const byKey = {
  ...base,
  method: 'POST',
  response: PersonsByKey,
  example: { results: { user_1: PERSON_EXAMPLE } },
  csv: {
    fileName: 'persons',
    columns: PERSON_COLUMNS,
    rows: (body: { results: Record<string, unknown> }) => Object.values(body.results),
  },
} as const

const METADATA_EXAMPLE = {
  queried_timestamp: '2026-05-02T00:00:00Z',
  include_set_once: false,
  distinct_id_used: 'user_1',
  person_id_used: null,
  query_mode: 'distinct_id',
  distinct_ids_queried: ['user_1'],
  distinct_ids_count: 1,
}

export const personCollectionRoutes = (persons: PersonsFeature): Route[] => [
  route({
    ...base,
    method: 'GET',
    path: '/persons/',
    summary: 'List persons',
    description:
      'Newest first unless `ordering` says otherwise. All filters must hold. As CSV the whole result is sent unless limit, offset or cursor is given. Search, properties, updated_after and any other order are answered by the event store, with 503 while it is behind; the other lists do not depend on it.',
    query: ListQuery,
    response: Page(PersonRowBody),
    example: { count: 1, next: null, previous: null, results: [ROW_EXAMPLE] },
    csv: listCsv,
    refusals: { POST: CREATE_REFUSED },
    handler: async ({ project, query, url, format, signal }) => {
      if (isWhole(format, query.limit, query.offset, query.cursor)) {
        return wholeCsv(listCsv, persons.walk(project, query, signal))
      }
      const page = { ...readPage(query), cursor: readCursor(query.cursor, PLACES) }
      if (format === 'csv') return wholeCsv(listCsv, persons.walkPage(project, query, page, signal))
      const { count, items, last } = await persons.list(project, query, page, signal)
      return pageOf(url, page, count, items, last)
    },
  }),
  route({
    ...base,
    method: 'GET',
    path: '/persons/values/',
    summary: 'The most frequent values of a person property',
    query: ValuesQuery,
    response: Values,
    example: { results: [{ name: 'Mac OS X', count: 12 }], refreshing: false },
    csv: { fileName: 'person_values', columns: ['count', 'name'], rows: rowsOf },
    handler: async ({ project, query, signal }) => ({
      results: await persons.values(project, query.key, query.value, signal),
      refreshing: false,
    }),
  }),
  route({
    ...byKey,
    path: '/persons/batch_by_distinct_ids/',
    summary: 'Read persons by distinct ids',
    description: 'Ids that do not exist are absent from the answer; only the first 200 are looked up.',
    body: DistinctIdsBody,
    handler: async ({ project, body }) => ({ results: await persons.byDistinctIds(project, body.distinct_ids) }),
  }),
  route({
    ...byKey,
    path: '/persons/batch_by_uuids/',
    summary: 'Read persons by UUIDs',
    description: 'UUIDs that do not exist are absent from the answer; only the first 200 are looked up.',
    body: UuidsBody,
    handler: async ({ project, body }) => ({ results: await persons.byUuids(project, body.uuids) }),
  }),
  route({
    ...base,
    method: 'GET',
    path: '/persons/properties_at_time/',
    summary: 'What the properties of a person were at a moment',
    query: MomentQuery,
    response: PersonAtTime,
    example: { ...PERSON_EXAMPLE, point_in_time_metadata: METADATA_EXAMPLE },
    csv: { fileName: 'person', columns: PERSON_COLUMNS, rows: (body: unknown) => [body] },
    handler: ({ project, query }) => persons.atTime(project, query),
  }),
  route({
    ...base,
    method: 'GET',
    path: '/persons/cohorts/',
    summary: 'The cohorts a person is in',
    description: 'Empty as long as there are no cohorts.',
    query: CohortsQuery,
    response: Cohorts,
    example: { count: 0, next: null, previous: null, results: [] },
    csv: { fileName: 'cohorts', columns: ['count', 'id', 'name'], rows: rowsOf },
    handler: async ({ project, query }) => {
      const results = await persons.cohorts(project, query.person_id)
      return { count: results.length, next: null, previous: null, results }
    },
  }),
]

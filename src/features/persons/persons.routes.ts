/** /persons/{id}/: one person, its changes and its history. The collection is in its own file. */
import { type Route, route } from '../../http/route.ts'
import { Nothing } from '../../http/schema.ts'
import { mergeRoutes } from './merge/merge.routes.ts'
import { readKeysToUnset, readPropertyToSet, readSplitRequest } from './parameters.ts'
import { personCollectionRoutes } from './person-collection.routes.ts'
import type { PersonsFeature } from './persons.feature.ts'
import {
  ChangedPerson,
  COUNTS_EXAMPLE,
  CountsQuery,
  DeletePropertyBody,
  DeletePropertyQuery,
  PERSON_COLUMNS,
  PERSON_EXAMPLE,
  PersonBody,
  PersonCounts,
  PersonParams,
  PersonPatch,
  RemoveQuery,
  SplitBody,
  SplitPersons,
  SplitQuery,
  Timeline,
  TimelineQuery,
  UpdatePropertyBody,
  UpdatePropertyQuery,
} from './persons.schema.ts'
import { personRemovalRoutes } from './removal/person-removal.routes.ts'
import { undoRoutes } from './undo/undo.routes.ts'

const base = { level: 'project', tag: 'persons', params: PersonParams } as const
const person = {
  ...base,
  path: '/persons/:id/',
  response: PersonBody,
  example: PERSON_EXAMPLE,
  csv: { fileName: 'person', columns: PERSON_COLUMNS, rows: (body: unknown) => [body] },
} as const
/** The POST sub-routes answer with more than the person; their CSV is the person. */
const change = {
  ...base,
  method: 'POST',
  scope: 'person:write',
  csv: { fileName: 'person', columns: PERSON_COLUMNS, rows: (body: { person: unknown }) => [body.person] },
} as const

const TIMELINE_EXAMPLE = {
  points: [{ timestamp: '2026-05-01T10:00:00Z', properties: { plan: 'free' }, relevant_event_count: 3 }],
  crucial_property_keys: ['plan'],
  effective_date_from: '2026-05-01T00:00:00Z',
  effective_date_to: '2026-05-08T23:59:59.999999Z',
}

const onePerson = (persons: PersonsFeature): Route[] => [
  route({
    ...person,
    method: 'GET',
    scope: 'person:read',
    summary: 'Read a person',
    handler: ({ project, params }) => persons.retrieve(project, params.id),
  }),
  ...(['PATCH', 'PUT'] as const).map((method) =>
    route({
      ...person,
      method,
      scope: 'person:write',
      summary: 'Change properties of a person',
      body: PersonPatch,
      handler: ({ project, caller, params, body }) => persons.patch({ project, caller }, params.id, body.properties),
    }),
  ),
  route({
    ...base,
    method: 'DELETE',
    path: '/persons/:id/',
    scope: 'person:write',
    summary: 'Delete a person',
    description:
      'With delete_events its events are queued and deleted in the batch of Sunday 05:00 UTC; persons/deletion_status/ shows the request. Use persons/bulk_delete/ for many.',
    query: RemoveQuery,
    status: 204,
    response: Nothing,
    example: null,
    csv: { fileName: 'person', columns: [], rows: () => [] },
    handler: async ({ project, caller, params, query }) => {
      await persons.remove({ project, caller }, params.id, {
        deleteEvents: query.delete_events ?? false,
        deleteRecordings: query.delete_recordings ?? false,
        keepPerson: query.keep_person ?? false,
      })
      return null
    },
  }),
]

const changes = (persons: PersonsFeature): Route[] => [
  route({
    ...change,
    path: '/persons/:id/update_property/',
    summary: 'Set one property of a person',
    description: 'Each parameter comes from the JSON body if the body has it, else from the query string.',
    query: UpdatePropertyQuery,
    body: UpdatePropertyBody,
    response: ChangedPerson,
    example: { success: true, person: PERSON_EXAMPLE },
    handler: async ({ project, caller, params, body, query }) => {
      const { key, value } = readPropertyToSet(body, query)
      return { success: true, person: await persons.patch({ project, caller }, params.id, { [key]: value }) }
    },
  }),
  route({
    ...change,
    path: '/persons/:id/delete_property/',
    summary: 'Delete one property of a person',
    description: 'Deleting a property that is not there succeeds. `$unset` comes from the JSON body, else the query.',
    query: DeletePropertyQuery,
    body: DeletePropertyBody,
    response: ChangedPerson,
    example: { success: true, person: PERSON_EXAMPLE },
    handler: async ({ project, caller, params, body, query }) => {
      const keys = readKeysToUnset(body, query)
      return { success: true, person: await persons.unset({ project, caller }, params.id, keys) }
    },
  }),
  route({
    ...change,
    path: '/persons/:id/split/',
    summary: 'Split a person by its distinct ids',
    description:
      'The person keeps its properties and main_distinct_id (the id stored first unless given); every other id, or only distinct_ids_to_split, moves to a person of its own. All ids move or none.',
    query: SplitQuery,
    body: SplitBody,
    response: SplitPersons,
    example: { success: true, person: PERSON_EXAMPLE, split: [] },
    handler: async ({ project, caller, params, body, query }) => {
      const request = readSplitRequest(body, query)
      return { success: true, ...(await persons.split({ project, caller }, params.id, request)) }
    },
  }),
]

const history = (persons: PersonsFeature): Route[] => [
  route({
    ...base,
    method: 'GET',
    path: '/persons/:id/properties_timeline/',
    readsEvents: true,
    scope: 'person:read',
    summary: 'How the properties of a person changed over its events',
    query: TimelineQuery,
    response: Timeline,
    example: TIMELINE_EXAMPLE,
    csv: {
      fileName: 'properties_timeline',
      columns: ['relevant_event_count', 'timestamp'],
      rows: (body: { points: unknown[] }) => body.points,
    },
    handler: ({ project, params, query, signal }) => persons.timeline(project, params.id, query, signal),
  }),
  route({
    ...base,
    method: 'GET',
    path: '/persons/:id/counts/',
    readsEvents: true,
    scope: 'person:read',
    summary: 'How much there is of a person',
    query: CountsQuery,
    response: PersonCounts,
    example: COUNTS_EXAMPLE,
    csv: {
      fileName: 'person_counts',
      columns: Object.keys(COUNTS_EXAMPLE),
      rows: ({ distinct_ids: _, ...totals }: Record<string, unknown>) => [totals],
    },
    handler: ({ project, params, query, signal }) =>
      persons.counts(project, params.id, { byDistinctId: query.by_distinct_id }, signal),
  }),
]

export const personRoutes = (persons: PersonsFeature): Route[] => [
  ...onePerson(persons), //              /persons/{id}/
  ...changes(persons), //                /persons/{id}/update_property/ delete_property/ split/
  ...mergeRoutes(persons), //            /persons/{id}/merge/
  ...history(persons), //                /persons/{id}/properties_timeline/ counts/
  ...personCollectionRoutes(persons), // /persons/ and its look-ups
  ...personRemovalRoutes(persons), //    /persons/bulk_delete/ deletion_status/ and related
  ...undoRoutes(persons), //             /activity_log/{id}/undo/
]

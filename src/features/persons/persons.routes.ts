/** /persons/{id}/: one person. */
import { type Route, route } from '../../http/route.ts'
import { Nothing } from '../../http/schema.ts'
import { PERSON_COLUMNS, PERSON_EXAMPLE, PersonBody, PersonParams, PersonPatch, RemoveQuery } from './persons.schema.ts'
import type { Persons } from './persons.ts'

const base = { level: 'project', tag: 'persons', params: PersonParams } as const
const person = {
  ...base,
  path: '/persons/:id/',
  response: PersonBody,
  example: PERSON_EXAMPLE,
  csv: { fileName: 'person', columns: PERSON_COLUMNS, rows: (body: unknown) => [body] },
} as const

export const personRoutes = (persons: Persons): Route[] => [
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

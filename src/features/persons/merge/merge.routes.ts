/** /persons/{id}/merge/ */
import { type Route, route } from '../../../http/route.ts'
import type { PersonsFeature } from '../persons.feature.ts'
import { PERSON_COLUMNS, PersonParams } from '../persons.schema.ts'
import { MERGE_EXAMPLE, MergeBody, MergedPersons } from './merge.schema.ts'

export const mergeRoutes = (persons: PersonsFeature): Route[] => [
  route({
    level: 'project',
    tag: 'persons',
    method: 'POST',
    path: '/persons/:id/merge/',
    readsEvents: true,
    scope: 'person:write',
    summary: 'Merge another person into a person',
    description:
      'The person in the path stays: distinct ids, properties, events and recordings of the other become its own, and where both have a property its own value stays. With preview nothing is changed: the answer tells what would become of ids and properties, and how many events and recordings each has.',
    params: PersonParams,
    body: MergeBody,
    response: MergedPersons,
    example: MERGE_EXAMPLE,
    csv: { fileName: 'person', columns: PERSON_COLUMNS, rows: (body: { person: unknown }) => [body.person] },
    handler: ({ project, caller, params, body, signal }) =>
      body.preview
        ? persons.previewMerge(project, params.id, body.person, signal)
        : persons.merge({ project, caller }, params.id, body.person),
  }),
]

/** /event_definitions/ and /property_definitions/: names and types, derived from the data. */
import { pageOf, readPage } from '../../http/output/pagination.ts'
import { type Route, route } from '../../http/route.ts'
import { Page } from '../../http/schema.ts'
import type { DefinitionsFeature } from './definitions.feature.ts'
import {
  EVENT_DEFINITION_EXAMPLE,
  EventDefinition,
  EventDefinitionsQuery,
  PROPERTY_DEFINITION_EXAMPLE,
  PropertyDefinition,
  PropertyDefinitionsQuery,
} from './definitions.schema.ts'

const base = { level: 'project', tag: 'definitions', method: 'GET', readsEvents: true } as const
const onePage = <T>(item: T) => ({ count: 1, next: null, previous: null, results: [item] })

export const definitionRoutes = (definitions: DefinitionsFeature): Route[] => [
  route({
    ...base,
    path: '/event_definitions/',
    scope: 'event_definition:read',
    summary: 'List the names of events',
    description: 'By name. Learned from the project’s latest 1,000,000 events.',
    query: EventDefinitionsQuery,
    response: Page(EventDefinition),
    example: onePage(EVENT_DEFINITION_EXAMPLE),
    handler: async ({ project, query, url, signal }) => {
      const page = readPage(query)
      const { count, items } = await definitions.events(project, query.search, page, signal)
      return pageOf(url, page, count, items)
    },
  }),
  route({
    ...base,
    path: '/property_definitions/',
    scope: 'property_definition:read',
    summary: 'List the properties of events or persons',
    description:
      'By name. Learned from the latest 100,000 events or persons; of those with very long properties only from the latest.',
    query: PropertyDefinitionsQuery,
    response: Page(PropertyDefinition),
    example: onePage(PROPERTY_DEFINITION_EXAMPLE),
    handler: async ({ project, query, url, signal }) => {
      const page = readPage(query)
      const { count, items } = await definitions.properties(project, query, page, signal)
      return pageOf(url, page, count, items)
    },
  }),
]

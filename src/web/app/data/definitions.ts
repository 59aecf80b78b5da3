/** Names of properties, as filters and columns offer them. */
import { queryOptions } from '@tanstack/react-query'
import { type BootProject, mayUse } from './boot.ts'
import { answerOf, api } from './client.ts'
import type { components } from './schema.d.ts'

type PropertyDefinition = components['schemas']['PropertyDefinition']

const MOST = { person: 1_000, event: 200 }

/** For who may see them. */
export const propertyNamesQuery = ({ id, scopes }: BootProject, type: keyof typeof MOST) =>
  queryOptions({
    queryKey: ['project', id, 'property-names', type],
    enabled: mayUse(scopes, 'property_definition:read'),
    queryFn: async ({ signal }): Promise<PropertyDefinition[]> => {
      const params = { path: { project_id: String(id) }, query: { type, limit: MOST[type] } }
      return (await answerOf(api.GET('/api/environments/{project_id}/property_definitions/', { params, signal })))
        .results
    },
  })

/** What is offered where somebody filters sessions: their properties, and the most frequent values of one. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../client.ts'
import { useProject } from '../session.ts'

const at = (projectId: number) => ({ project_id: String(projectId) })

const propertiesQuery = (projectId: number) =>
  queryOptions({
    queryKey: ['project', projectId, 'session-properties'],
    // A fixed list.
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      const asked = { params: { path: at(projectId) }, signal }
      return (await answerOf(api.GET('/api/environments/{project_id}/sessions/property_definitions/', asked))).results
    },
  })

const valuesQuery = (projectId: number, key: string, text: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'session-values', key, text],
    enabled: key !== '',
    queryFn: async ({ signal }) => {
      const params = { path: at(projectId), query: { key, ...(text === '' ? {} : { value: text }) } }
      return (await answerOf(api.GET('/api/environments/{project_id}/sessions/values/', { params, signal }))).results
    },
  })

/** `onAsk`: for the values of another property. */
export function useSessionSuggestions() {
  const { id } = useProject()
  const [{ key, text }, onAsk] = useState({ key: '', text: '' })
  const { data: properties = [] } = useQuery(propertiesQuery(id))
  // Only of these there are values to choose from.
  const isListed = properties.some(
    ({ name, property_type: type }) => name === key && (type === 'String' || type === 'Boolean'),
  )
  const { data: values = [] } = useQuery(valuesQuery(id, isListed ? key : '', text))
  return {
    keys: properties.map(({ name, property_type }) => ({ value: name, note: property_type.toLowerCase() })),
    values: values.map(({ name, count }) => ({ value: name, note: String(count) })),
    onAsk,
  }
}

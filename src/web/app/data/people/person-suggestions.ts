/** What is offered where somebody filters by people: the properties that they have, and their most frequent values. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { mayUse } from '../boot.ts'
import { propertyNamesQuery } from '../definitions.ts'
import { useProject } from '../session.ts'
import { personValuesQuery } from './person-values.ts'

export function usePropertyNames(type: 'person' | 'event') {
  const { data = [] } = useQuery(propertyNamesQuery(useProject(), type))
  return data.map(({ name, property_type }) => ({ value: name, note: property_type?.toLowerCase() }))
}

/** `onAsk`: for the values of another property. */
export function usePersonSuggestions() {
  const { id, scopes } = useProject()
  const [{ key, text }, onAsk] = useState({ key: '', text: '' })
  const { data: values = [] } = useQuery({
    ...personValuesQuery(id, key, text),
    enabled: key !== '' && mayUse(scopes, 'person:read'),
  })
  return {
    keys: usePropertyNames('person'),
    values: values.map(({ name, count }) => ({ value: name, note: String(count) })),
    onAsk,
  }
}

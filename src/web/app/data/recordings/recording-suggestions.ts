/** What is offered where somebody filters recordings: by who was recorded, by what happened, by what was counted. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { mayUse } from '../boot.ts'
import { eventValuesQuery } from '../events/event-values.ts'
import { eventNamesQuery, mayReadEvents } from '../events.ts'
import { usePropertyNames } from '../people/person-suggestions.ts'
import { personValuesQuery } from '../people/person-values.ts'
import { useProject } from '../session.ts'

/** What recordings can be compared by, as `having_predicates` names it. */
const MEASURES: readonly (readonly [value: string, note: string])[] = [
  ['duration', 'seconds'],
  ['active_seconds', 'seconds'],
  ['inactive_seconds', 'seconds'],
  ['click_count', 'clicks'],
  ['keypress_count', 'keys'],
  ['mouse_activity_count', 'clicks and moves'],
  ['console_error_count', 'lines'],
  ['console_warn_count', 'lines'],
  ['console_log_count', 'lines'],
  ['activity_score', '0 to 100'],
]

/** `onAsk`: for the values of another property. */
export function useRecordingSuggestions() {
  const project = useProject()
  const [asked, onAsk] = useState({ type: '', key: '', text: '' })
  const isOf = (type: string): boolean => asked.type === type && asked.key !== ''
  const { data: ofPeople = [] } = useQuery({
    ...personValuesQuery(project.id, asked.key, asked.text),
    enabled: isOf('person') && mayUse(project.scopes, 'person:read'),
  })
  const { data: ofEvents = [] } = useQuery({
    ...eventValuesQuery(project.id, asked.key, asked.text),
    enabled: isOf('event') && mayReadEvents(project),
  })
  const { data: events = [] } = useQuery(eventNamesQuery(project))
  const values = isOf('event') ? ofEvents : isOf('person') ? ofPeople : []
  return {
    events,
    person: usePropertyNames('person'),
    event: usePropertyNames('event'),
    recording: MEASURES.map(([value, note]) => ({ value, note })),
    values: values.map(({ name, count }) => ({
      value: String(name),
      note: count === undefined ? undefined : String(count),
    })),
    onAsk,
  }
}

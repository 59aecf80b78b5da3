/** Which sessions are listed, by the API's own names. */
import { choice, defineSearch } from '../../data/search.ts'
import type { SessionFilter } from '../../data/sessions/session-list.ts'
import { type Filters, filtersField, formatFilters } from '../../kit/filters/property-filter.ts'

export const SINCE = ['-1d', '-7d', '-30d', 'all'] as const
export const ORDERINGS = ['-start_time', 'start_time', '-duration', 'duration'] as const
export const RECORDED = ['any', 'true', 'false'] as const

export interface SessionsState {
  date_from: (typeof SINCE)[number]
  ordering: (typeof ORDERINGS)[number]
  has_recording: (typeof RECORDED)[number]
  properties: Filters
}

export const sessionsSearch = defineSearch<SessionsState>({
  date_from: choice(SINCE, '-30d'),
  ordering: choice(ORDERINGS, '-start_time'),
  has_recording: choice(RECORDED, 'any'),
  properties: filtersField,
})

/** What the API is asked for. */
export function filterOf({ date_from, ordering, has_recording, properties }: SessionsState): SessionFilter {
  const conditions = formatFilters(properties)
  return {
    ordering,
    ...(date_from === 'all' ? {} : { date_from }),
    ...(has_recording === 'any' ? {} : { has_recording: has_recording === 'true' }),
    ...(conditions === '' ? {} : { properties: conditions }),
  }
}

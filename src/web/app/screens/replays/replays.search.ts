/** Which recordings are listed, by the API's own names. */
import { anyText, choice, defineSearch } from '../../data/search.ts'
import { type Filters, filtersField } from '../../kit/filters/property-filter.ts'

export const SINCE = ['-1d', '-3d', '-7d', '-30d', 'all'] as const
export const ORDERS = [
  'start_time',
  'recording_duration',
  'active_seconds',
  'click_count',
  'keypress_count',
  'console_error_count',
] as const

/** Of the levels that a line of the console may have; any recording without one. */
export const CONSOLE = [
  '',
  '[{"key":"level","value":["info","warn","error"]}]',
  '[{"key":"level","value":["warn","error"]}]',
  '[{"key":"level","value":["error"]}]',
] as const

export interface ReplaysState {
  date_from: (typeof SINCE)[number]
  order: (typeof ORDERS)[number]
  order_direction: 'DESC' | 'ASC'
  hide_viewed_recordings: 'no' | 'current-user'
  /** As JSON; all of them have to be among what happened. Whether it can be read, the server says. */
  events: string
  console_log_filters: (typeof CONSOLE)[number]
  properties: Filters
  having_predicates: Filters
}

export const replaysSearch = defineSearch<ReplaysState>({
  date_from: choice(SINCE, '-30d'),
  order: choice(ORDERS, 'start_time'),
  order_direction: choice(['DESC', 'ASC'], 'DESC'),
  hide_viewed_recordings: choice(['no', 'current-user'], 'no'),
  events: anyText(),
  console_log_filters: choice(CONSOLE, ''),
  properties: filtersField,
  having_predicates: filtersField,
})

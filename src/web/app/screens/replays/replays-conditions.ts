/** What a state of the list asks the API for, and its conditions as one list. */
import type { RecordingFilter } from '../../data/recordings/recording-list.ts'
import { parseJson } from '../../data/search.ts'
import { type Filters, formatFilters, hasFilters } from '../../kit/filters/property-filter.ts'
import type { ReplaysState } from './replays.search.ts'

/** What the API is asked for. */
export const filterOf = (state: ReplaysState): RecordingFilter => ({
  date_from: state.date_from,
  order: state.order,
  order_direction: state.order_direction,
  ...(state.hide_viewed_recordings === 'no' ? {} : { hide_viewed_recordings: state.hide_viewed_recordings }),
  ...(state.events === '' ? {} : { events: state.events }),
  ...(state.console_log_filters === '' ? {} : { console_log_filters: state.console_log_filters }),
  ...(hasFilters(state.properties) ? { properties: formatFilters(state.properties) } : {}),
  ...(hasFilters(state.having_predicates) ? { having_predicates: formatFilters(state.having_predicates) } : {}),
})

/** What recordings are compared by stands among the other conditions, and is asked for apart. */
const MEASURED = 'recording'

/** All conditions of a state; a group stands alone. */
export const conditionsOf = ({ properties, having_predicates: having }: ReplaysState): Filters =>
  Array.isArray(properties) && Array.isArray(having) ? [...properties, ...having] : properties

/** The same, taken apart again. */
export function withConditions(filters: Filters): Pick<ReplaysState, 'properties' | 'having_predicates'> {
  if (!Array.isArray(filters)) return { properties: filters, having_predicates: [] }
  return {
    properties: filters.filter(({ type }) => type !== MEASURED),
    having_predicates: filters.filter(({ type }) => type === MEASURED),
  }
}

/** One event of a session: by its name, or by conditions on its properties as well; null: any. */
interface EventItem {
  id: string | null
  properties?: unknown
}

const isItem = (value: Partial<EventItem> | null): boolean => value?.id === null || typeof value?.id === 'string'

/** Empty for what cannot be read. */
export function readEvents(text: string): EventItem[] {
  const found = parseJson(text)
  return Array.isArray(found) && found.every(isItem) ? found : []
}

export const writeEvents = (items: readonly EventItem[]): string => (items.length === 0 ? '' : JSON.stringify(items))

/** As words that can be taken away. */
export const eventInWords = ({ id, properties }: EventItem): string =>
  `${id ?? 'any event'}${Array.isArray(properties) && properties.length > 0 ? ' with conditions' : ''}`

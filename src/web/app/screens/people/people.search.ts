/** Who is looked for, by the API's own names; `columns`: properties that are shown beside the name. */
import type { PeopleFilter, PeopleOrdering } from '../../data/people/people.ts'
import { anyText, choice, defineSearch, texts } from '../../data/search.ts'
import { type Filters, filtersField, formatFilters } from '../../kit/filters/property-filter.ts'

export interface PeopleState {
  search: string
  properties: Filters
  columns: readonly string[]
  ordering: PeopleOrdering
}

export const ORDERINGS = ['-created_at', 'created_at', '-last_seen_at', 'last_seen_at'] as const

export const peopleSearch = defineSearch<PeopleState>({
  search: anyText(),
  properties: filtersField,
  columns: texts(),
  ordering: choice(ORDERINGS, '-created_at'),
})

/** What the API is asked for. */
export const filterOf = ({ search, properties, ordering }: Omit<PeopleState, 'columns'>): PeopleFilter => ({
  search,
  properties: formatFilters(properties),
  // The API's own, which needs no event store.
  ...(ordering === '-created_at' ? {} : { ordering }),
})

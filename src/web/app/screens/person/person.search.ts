/**
 * `tab`: what is shown of the person; `do`: what is being done to them. Then what the tabs keep: `q` of the properties;
 * `properties`, `date_from`, `date_to` and `at` of the timeline; `page` of the history.
 */
import { anyText, choice, defineSearch, pageNumber } from '../../data/search.ts'
import { type Filters, filtersField } from '../../kit/filters/property-filter.ts'

export const TABS = ['properties', 'timeline', 'events', 'sessions', 'recordings', 'history'] as const
export type TabId = (typeof TABS)[number]

export interface PersonState {
  tab: TabId
  do: 'look' | 'split' | 'merge' | 'delete'
  q: string
  properties: Filters
  date_from: string
  date_to: string
  at: string
  page: number
}

export const personSearch = defineSearch<PersonState>({
  tab: choice(TABS, 'properties'),
  do: choice(['look', 'split', 'merge', 'delete'], 'look'),
  q: anyText(),
  properties: filtersField,
  date_from: anyText('all'),
  date_to: anyText(),
  at: anyText(),
  page: pageNumber,
})

/** What another tab knows nothing of is left behind. */
export const onTab = (tab: TabId): PersonState => ({ ...personSearch.fallback, tab })

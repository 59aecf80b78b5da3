/** The filter bar with what it suggests. */
import { usePersonSuggestions } from '../../data/people/person-suggestions.ts'
import { FilterBar } from '../../kit/filters/filter-bar.tsx'
import type { Filters } from '../../kit/filters/property-filter.ts'

interface PeopleFiltersProps {
  filters: Filters
  onFilters: (filters: Filters) => void
}

export function PeopleFilters({ filters, onFilters }: PeopleFiltersProps) {
  const { keys, values, onAsk } = usePersonSuggestions()
  return (
    <FilterBar
      filters={filters}
      onFilters={onFilters}
      sources={[{ type: 'person', name: 'Person', keys }]}
      values={values}
      onAsk={onAsk}
    />
  )
}

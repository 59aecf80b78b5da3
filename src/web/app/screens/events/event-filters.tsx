/** The fields above the list, and what else narrows it as words that can be taken away. */
import { useQuery } from '@tanstack/react-query'
import type { BootProject } from '../../data/boot.ts'
import { propertyNamesQuery } from '../../data/definitions.ts'
import { eventNamesQuery } from '../../data/events.ts'
import { usePeriodKeys } from '../../data/keyboard.ts'
import { problemAt } from '../../data/requests/api-problem.ts'
import { useSearchState } from '../../data/use-search.ts'
import { SelectField, TextField } from '../../kit/form/field.tsx'
import { FilterRow, TextFilter } from '../../kit/form/text-filter.tsx'
import { Chips } from '../../kit/text/chips.tsx'
import styles from './events.module.css'
import { eventsSearch } from './events.search.ts'
import { instantOf, localText, OWN, RANGES, rangeOf } from './time-range.ts'
import { useSetFilters } from './use-set-filters.ts'

/** Beside which their problems stand. */
export const FIELDS = ['after', 'before']

const RANGE_CHOICES = [...RANGES, [OWN, 'Between two times…'] as const]
const DAY_MS = 86_400_000

interface EventFiltersProps {
  project: BootProject
  error: unknown
}

export function EventFilters({ project, error }: EventFiltersProps) {
  const [{ event, distinct_id, after, before, columns }, change] = useSearchState(eventsSearch)
  const { data: names = [] } = useQuery(eventNamesQuery(project))
  const { data: properties = [] } = useQuery(propertyNamesQuery(project, 'event'))
  const range = rangeOf(after, before)
  const chooseRange = (chosen: string) => {
    const from = chosen === OWN ? new Date(Date.now() - DAY_MS).toISOString() : chosen
    change({ after: from, before: '', cursor: '' })
  }
  usePeriodKeys((days) => chooseRange(days === '1' ? '-24h' : `-${days}d`))
  const addColumn = (name: string) => {
    if (name !== '' && !columns.includes(name)) change({ columns: [...columns, name] })
  }
  return (
    <>
      <FilterRow>
        <TextFilter
          label="Event"
          placeholder="Any"
          value={event}
          suggestions={names}
          onCommit={(name) => change({ event: name, cursor: '' })}
        />
        <TextFilter
          label="Distinct id"
          placeholder="Anybody"
          value={distinct_id}
          onCommit={(id) => change({ distinct_id: id, cursor: '' })}
        />
        <SelectField label="When" choices={RANGE_CHOICES} value={range} onText={chooseRange} />
        <TextFilter
          label="Add a column"
          placeholder="Name of a property"
          value=""
          suggestions={properties.map(({ name }) => name).filter((name) => !columns.includes(name))}
          onCommit={addColumn}
        />
      </FilterRow>
      {range === OWN && <OwnRange error={error} />}
      <SetFilters />
    </>
  )
}

function OwnRange({ error }: { error: unknown }) {
  const [{ after, before }, change] = useSearchState(eventsSearch)
  return (
    <FilterRow>
      <TextField
        label="After, in your time zone"
        type="datetime-local"
        value={localText(after)}
        problem={problemAt(error, 'after')}
        onText={(text) => change({ after: instantOf(text), cursor: '' }, { replace: true })}
      />
      <TextField
        label="Before, in your time zone"
        type="datetime-local"
        value={localText(before)}
        problem={problemAt(error, 'before')}
        onText={(text) => change({ before: instantOf(text), cursor: '' }, { replace: true })}
      />
    </FilterRow>
  )
}

/** What has no field of its own, and the columns. */
function SetFilters() {
  const [{ columns }, change] = useSearchState(eventsSearch)
  const filters = useSetFilters().filter(({ hasField }) => !hasField)
  if (filters.length + columns.length === 0) return null
  return (
    <div className={styles.set}>
      {filters.length > 0 && (
        <>
          <span className={styles.setName}>Only</span>
          <Chips
            label="Filters"
            items={filters.map(({ words }) => words)}
            onRemove={(words) => filters.find((filter) => filter.words === words)?.drop()}
          />
        </>
      )}
      {columns.length > 0 && (
        <>
          <span className={styles.setName}>Columns</span>
          <Chips
            label="Columns"
            items={columns}
            onRemove={(name) => change({ columns: columns.filter((other) => other !== name) })}
          />
        </>
      )}
    </div>
  )
}

/** What narrows the list of sessions, and its order. */
import { usePeriodKeys } from '../../data/keyboard.ts'
import { useSessionSuggestions } from '../../data/sessions/session-suggestions.ts'
import { useSearchState } from '../../data/use-search.ts'
import { FilterBar } from '../../kit/filters/filter-bar.tsx'
import { SelectField } from '../../kit/form/field.tsx'
import { FilterRow } from '../../kit/form/text-filter.tsx'
import styles from './sessions.module.css'
import { type SessionsState, sessionsSearch } from './sessions.search.ts'

const SINCE = [
  ['-1d', 'Last 24 hours'],
  ['-7d', 'Last 7 days'],
  ['-30d', 'Last 30 days'],
  ['all', 'All'],
] as const
const ORDERINGS = [
  ['-start_time', 'Newest first'],
  ['start_time', 'Oldest first'],
  ['-duration', 'Longest first'],
  ['duration', 'Shortest first'],
] as const
const RECORDED = [
  ['any', 'With and without'],
  ['true', 'Recorded'],
  ['false', 'Not recorded'],
] as const

export function SessionsFilters() {
  const [{ date_from, ordering, has_recording, properties }, change] = useSearchState(sessionsSearch)
  const { keys, values, onAsk } = useSessionSuggestions()
  usePeriodKeys((days) => change({ date_from: `-${days}d` }))
  return (
    <>
      <FilterRow>
        <SelectField
          label="Began"
          choices={SINCE}
          value={date_from}
          onText={(chosen) => change({ date_from: chosen as SessionsState['date_from'] })}
        />
        <SelectField
          label="Order"
          choices={ORDERINGS}
          value={ordering}
          onText={(chosen) => change({ ordering: chosen as SessionsState['ordering'] })}
        />
        <SelectField
          label="Recording"
          choices={RECORDED}
          value={has_recording}
          onText={(chosen) => change({ has_recording: chosen as SessionsState['has_recording'] })}
        />
      </FilterRow>
      <div className={styles.filters}>
        <FilterBar
          filters={properties}
          onFilters={(filters) => change({ properties: filters })}
          sources={[{ type: 'session', name: 'Session', keys }]}
          values={values}
          onAsk={onAsk}
        />
      </div>
    </>
  )
}

/** What else narrows the list: by what happened in recordings, by who was recorded, and by what was counted. */
import { useRecordingSuggestions } from '../../data/recordings/recording-suggestions.ts'
import { useSearchState } from '../../data/use-search.ts'
import { FilterBar } from '../../kit/filters/filter-bar.tsx'
import { SelectField } from '../../kit/form/field.tsx'
import { FilterRow, TextFilter } from '../../kit/form/text-filter.tsx'
import { Chips } from '../../kit/text/chips.tsx'
import styles from './replays.module.css'
import { CONSOLE, type ReplaysState, replaysSearch } from './replays.search.ts'
import { conditionsOf, eventInWords, readEvents, withConditions, writeEvents } from './replays-conditions.ts'
import { CONSOLE_NAMES, named } from './replays-names.ts'

export function Conditions() {
  const [state, change] = useSearchState(replaysSearch)
  const events = readEvents(state.events)
  const { events: names, person, event, recording, values, onAsk } = useRecordingSuggestions()
  const words = events.map(eventInWords)
  const add = (name: string) => {
    if (name !== '' && !words.includes(name)) change({ events: writeEvents([...events, { id: name }]) })
  }
  return (
    <>
      <FilterRow>
        <TextFilter label="With the event" placeholder="Any" value="" suggestions={names} onCommit={add} />
        <SelectField
          label="Console"
          choices={named(CONSOLE, CONSOLE_NAMES)}
          value={state.console_log_filters}
          onText={(chosen) => change({ console_log_filters: chosen as ReplaysState['console_log_filters'] })}
        />
      </FilterRow>
      <div className={styles.filters}>
        {events.length > 0 && (
          <Chips
            label="Events"
            items={words}
            onRemove={(gone) => change({ events: writeEvents(events.filter((_, at) => words[at] !== gone)) })}
          />
        )}
        <FilterBar
          filters={conditionsOf(state)}
          onFilters={(filters) => change(withConditions(filters))}
          sources={[
            { type: 'person', name: 'Person', keys: person },
            { type: 'event', name: 'Event', keys: event },
            { type: 'recording', name: 'Recording', keys: recording },
          ]}
          values={values}
          onAsk={onAsk}
        />
      </div>
    </>
  )
}

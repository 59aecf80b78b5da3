/** What narrows the list of recordings, and its order. */
import { usePeriodKeys } from '../../data/keyboard.ts'
import { useSearchState } from '../../data/use-search.ts'
import { SelectField, SwitchField } from '../../kit/form/field.tsx'
import { FilterRow } from '../../kit/form/text-filter.tsx'
import { type ReplaysState, replaysSearch, SINCE } from './replays.search.ts'
import { named, SINCE_NAMES } from './replays-names.ts'
import { Conditions } from './replays-narrower.tsx'

const ORDERINGS = [
  ['start_time DESC', 'Newest first'],
  ['start_time ASC', 'Oldest first'],
  ['recording_duration DESC', 'Longest first'],
  ['recording_duration ASC', 'Shortest first'],
  ['active_seconds DESC', 'Most active first'],
  ['active_seconds ASC', 'Least active first'],
  ['click_count DESC', 'Most clicks first'],
  ['click_count ASC', 'Fewest clicks first'],
  ['keypress_count DESC', 'Most keys first'],
  ['keypress_count ASC', 'Fewest keys first'],
  ['console_error_count DESC', 'Most errors first'],
  ['console_error_count ASC', 'Fewest errors first'],
] as const satisfies readonly (readonly [`${ReplaysState['order']} ${ReplaysState['order_direction']}`, string])[]

export function ReplaysFilters() {
  const [state, change] = useSearchState(replaysSearch)
  usePeriodKeys((days) => change({ date_from: `-${days}d` }))
  return (
    <>
      <FilterRow>
        <SelectField
          label="Recorded"
          choices={named(SINCE, SINCE_NAMES)}
          value={state.date_from}
          onText={(chosen) => change({ date_from: chosen as ReplaysState['date_from'] })}
        />
        <SelectField
          label="Order"
          choices={ORDERINGS}
          value={`${state.order} ${state.order_direction}`}
          onText={(chosen) => {
            const [order, order_direction] = chosen.split(' ')
            change({ order, order_direction } as ReplaysState)
          }}
        />
        <SwitchField
          label="Only those I have not seen"
          checked={state.hide_viewed_recordings !== 'no'}
          onChecked={(checked) => change({ hide_viewed_recordings: checked ? 'current-user' : 'no' })}
        />
      </FilterRow>
      <Conditions />
    </>
  )
}

/** Every filter that is set, in words, each with what drops it. */
import { useSearchState } from '../../data/use-search.ts'
import { conditionInWords, conditionsOf, withoutCondition } from './conditions.ts'
import { type EventsState, eventsSearch } from './events.search.ts'
import { rangeInWords } from './time-range.ts'

interface EventsFilter {
  words: string
  /** It is shown by a field above the list. */
  hasField: boolean
  drop: () => void
}

const TEXTS: readonly (readonly [keyof EventsState & string, string, hasField: boolean])[] = [
  ['event', 'event', true],
  ['distinct_id', 'distinct id', true],
  ['person_id', 'person', false],
  ['session_id', 'session', false],
]

export function useSetFilters(): EventsFilter[] {
  const [state, change] = useSearchState(eventsSearch)
  const narrow = (patch: Partial<EventsState>) => () => void change({ ...patch, cursor: '' })
  const { properties, after, before } = state
  const conditions = conditionsOf(properties)
  const group = { words: 'a group of conditions', hasField: false, drop: narrow({ properties: '' }) }
  const range = rangeInWords(after, before)
  return [
    ...TEXTS.filter(([name]) => state[name] !== '').map(([name, word, hasField]) => ({
      words: `${word} ${state[name]}`,
      hasField,
      drop: narrow({ [name]: '' }),
    })),
    ...(range === '' ? [] : [{ words: range, hasField: true, drop: narrow({ after: '', before: '' }) }]),
    ...(conditions?.map((condition, index) => ({
      words: conditionInWords(condition),
      hasField: false,
      drop: narrow({ properties: withoutCondition(properties, index) }),
    })) ?? [group]),
  ]
}

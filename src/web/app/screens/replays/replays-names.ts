/** What can be chosen for the list, in words. */
import { CONSOLE, type ReplaysState } from './replays.search.ts'

export const SINCE_NAMES: Record<ReplaysState['date_from'], string> = {
  '-1d': 'Last 24 hours',
  '-3d': 'Last 3 days',
  '-7d': 'Last 7 days',
  '-30d': 'Last 30 days',
  all: 'All that are kept',
}
export const CONSOLE_NAMES: Record<ReplaysState['console_log_filters'], string> = {
  [CONSOLE[0]]: 'Any',
  [CONSOLE[1]]: 'With lines',
  [CONSOLE[2]]: 'With warnings or errors',
  [CONSOLE[3]]: 'With errors',
}

/** A choice is among those that are offered. */
export const named = <Id extends string>(ids: readonly Id[], names: Record<Id, string>) =>
  ids.map((id) => [id, names[id]] as const)

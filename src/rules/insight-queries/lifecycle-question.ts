/** LifecycleQuery: classifies each interval's people of one series by their activity in the interval before. */
import { invalid } from '../../lib/errors.ts'
import type { LifecycleQuestion } from '../../model/insights/insight-question.ts'
import type { LifecycleRow, ResultAction } from '../../model/insights/insight-result.ts'
import { dayOf, INTERVALS, type Interval, labelOf } from './calendar.ts'
import { intervalsOf, readRange, type Setting } from './date-range.ts'
import type { Node } from './query-node.ts'
import { readSeries } from './series.ts'

type Status = LifecycleRow['status']

const STATUSES: readonly Status[] = ['new', 'returning', 'resurrecting', 'dormant']

export interface LifecyclePlan {
  kind: 'LifecycleQuery'
  interval: Interval
  question: LifecycleQuestion
  action: ResultAction
  label: string
  statuses: Status[]
  labels: string[]
  days: string[]
}

function readStatuses(filter: Node): Status[] {
  const value = filter.raw('toggledLifecycles')
  if (value === undefined) return [...STATUSES]
  const isKnown = (item: unknown): boolean => STATUSES.some((status) => status === item)
  if (!Array.isArray(value) || !value.every(isKnown)) {
    throw invalid(`Expected a list of: ${STATUSES.join(', ')}.`, filter.attr('toggledLifecycles'))
  }
  return STATUSES.filter((status) => value.includes(status))
}

export function readLifecycle(query: Node, setting: Setting): LifecyclePlan {
  const interval = query.choice('interval', INTERVALS) ?? 'day'
  const [series, second] = readSeries(query, setting)
  if (!series || second) throw invalid('A lifecycle has exactly one series.', query.attr('series'))
  series.node.choice('math', ['total'])
  query.refuse({ customAggregationTarget: 'Custom aggregation targets are' })
  const { edges, starts } = intervalsOf(readRange(query, interval, setting), interval, setting, 1)
  const shown = starts.slice(1)
  return {
    kind: 'LifecycleQuery',
    interval,
    question: { projectId: setting.projectId, selector: series.selector, edges },
    action: series.action,
    label: series.label,
    statuses: readStatuses(query.child('lifecycleFilter')),
    labels: shown.map((start) => labelOf(interval, start)),
    days: shown.map((start) => dayOf(interval, start)),
  }
}

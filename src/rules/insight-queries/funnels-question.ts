/** FunnelsQuery: ordered steps within a window. */
import { invalid } from '../../lib/errors.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../lib/time/time.ts'
import type { FunnelQuestion } from '../../model/insights/insight-question.ts'
import type { ResultAction } from '../../model/insights/insight-result.ts'
import { INTERVALS } from './calendar.ts'
import { instantsOf, readRange, type Setting } from './date-range.ts'
import type { Node } from './query-node.ts'
import { refuseTooManyCells } from './result-size-limit.ts'
import { readBreakdown, readSeries } from './series.ts'

const UNITS: Record<string, number> = {
  second: SECOND,
  minute: MINUTE,
  hour: HOUR,
  day: DAY,
  week: 7 * DAY,
  month: 30 * DAY,
}
const UNIT_NAMES = ['second', 'minute', 'hour', 'day', 'week', 'month'] as const
const DEFAULT_WINDOW = 14
const MAX_WINDOW = 10_000

export interface FunnelsPlan {
  kind: 'FunnelsQuery'
  question: FunnelQuestion
  steps: { action: ResultAction; label: string }[]
  hidesOther: boolean
}

function readWindow(filter: Node): number {
  const amount = filter.integer('funnelWindowInterval', { min: 1, max: MAX_WINDOW }) ?? DEFAULT_WINDOW
  const unit = filter.choice('funnelWindowIntervalUnit', UNIT_NAMES) ?? 'day'
  return amount * (UNITS[unit] ?? DAY)
}

export function readFunnels(query: Node, setting: Setting): FunnelsPlan {
  const filter = query.child('funnelsFilter')
  filter.choice('funnelVizType', ['steps'])
  filter.choice('funnelOrderType', ['ordered'])
  filter.refuse({ exclusions: 'Exclusion steps are', funnelAggregateByHogQL: 'Aggregating by HogQL is' })
  const breakdown = readBreakdown(query)
  if (breakdown) filter.choice('breakdownAttributionType', ['first_touch'])
  const series = readSeries(query, setting)
  if (series.length < 2) throw invalid('A funnel needs at least two steps.', query.attr('series'))
  for (const { node } of series) node.choice('math', ['total'])
  const interval = query.choice('interval', INTERVALS) ?? 'day'
  const range = readRange(query, interval, setting)
  const [from, to] = instantsOf(range, setting)
  refuseTooManyCells({ steps: series.length, 'breakdown values': breakdown?.limit ?? 1 }, query.path)
  const { hidesOther = false, ...by } = breakdown ?? {}
  return {
    kind: 'FunnelsQuery',
    question: {
      projectId: setting.projectId,
      steps: series.map(({ selector }) => selector),
      from,
      to,
      windowMs: readWindow(filter),
      breakdown: 'key' in by ? by : null,
    },
    steps: series.map(({ action, label }) => ({ action, label })),
    hidesOther,
  }
}

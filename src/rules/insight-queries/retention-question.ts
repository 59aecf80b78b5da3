/**
 * RetentionQuery: `totalIntervals` intervals, the last of which contains `date_to` or now. Their number, not
 * `date_from`, decides where it begins, as in PostHog.
 */

import { cutText } from '../../lib/text/code-points.ts'
import { toInstant, toWall } from '../../lib/time/time-zone.ts'
import type { EventSelector, RetentionQuestion } from '../../model/insights/insight-question.ts'
import { type Interval, startOf, step } from './calendar.ts'
import { intervalsOf, readRange, type Setting } from './date-range.ts'
import { type Node, notSupported } from './query-node.ts'
import { bothOf, readBreakdown, readFilter } from './series.ts'

const PERIODS = ['Hour', 'Day', 'Week', 'Month'] as const
const INTERVAL_OF: Record<(typeof PERIODS)[number], Interval> = {
  Hour: 'hour',
  Day: 'day',
  Week: 'week',
  Month: 'month',
}
const TYPES = ['retention_recurring', 'retention_first_time'] as const
const DEFAULT_INTERVALS = 7
const MAX_INTERVALS = 100
/** The event when none is named. */
const DEFAULT_EVENT = '$pageview'

export interface RetentionPlan {
  kind: 'RetentionQuery'
  period: (typeof PERIODS)[number]
  question: RetentionQuestion
  /** When each interval begins, with the offset of its zone. */
  dates: string[]
}

/** Without an entity `$pageview`; an entity without an id is every event. */
function readEntity(filter: Node, name: string, query: Node, setting: Setting): EventSelector {
  const shared = readFilter(query, 'properties', setting)
  if (!filter.has(name)) return { event: DEFAULT_EVENT, filter: shared }
  const entity = filter.child(name)
  const type = entity.text('type') ?? 'events'
  if (type !== 'events') throw notSupported(`Entities of type "${cutText(type, 60)}" are`, entity.attr('type'))
  return { event: entity.text('id'), filter: bothOf(shared, readFilter(entity, 'properties', setting)) }
}

function refuseUncomputed(query: Node, filter: Node): void {
  if (readBreakdown(query)) throw notSupported('Breakdowns of retention are', query.attr('breakdownFilter'))
  filter.refuse({
    cumulative: 'Cumulative retention is',
    retentionCustomBrackets: 'Custom brackets are',
    aggregationProperty: 'Retention of a property is',
  })
  filter.choice('timeWindowMode', ['strict_calendar_dates'])
  filter.choice('aggregationType', ['count'])
  filter.integer('minimumOccurrences', { min: 1, max: 1 })
}

/** `2026-11-01T00:00:00-04:00` */
function withOffset(wall: number, zone: string): string {
  const instant = toInstant(wall, zone)
  const real = toWall(instant, zone)
  const minutes = Math.round((real - instant) / 60_000)
  const size = Math.abs(minutes)
  const pad = (value: number) => String(value).padStart(2, '0')
  return `${new Date(real).toISOString().slice(0, 19)}${minutes < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`
}

export function readRetention(query: Node, setting: Setting): RetentionPlan {
  const filter = query.child('retentionFilter')
  refuseUncomputed(query, filter)
  const period = filter.choice('period', PERIODS) ?? 'Day'
  const interval = INTERVAL_OF[period]
  const count = filter.integer('totalIntervals', { min: 1, max: MAX_INTERVALS }) ?? DEFAULT_INTERVALS
  // `date_from` has no effect, but must be valid.
  const { to } = readRange(query, interval, setting)
  const last = startOf(interval, to - 1)
  const from = step(interval, last, 1 - count)
  const { edges, starts } = intervalsOf({ from, to: step(interval, last, 1), exact: false }, interval, setting)
  return {
    kind: 'RetentionQuery',
    period,
    question: {
      projectId: setting.projectId,
      target: readEntity(filter, 'targetEntity', query, setting),
      returning: readEntity(filter, 'returningEntity', query, setting),
      firstTime: filter.choice('retentionType', TYPES) === 'retention_first_time',
      edges,
    },
    dates: starts.map((start) => withOffset(start, setting.zone)),
  }
}

/**
 * Results of insights, in PostHog's own shapes: clients read these fields by these names, so they are
 * spelled as in the API.
 */

/** Which series of the query a row belongs to. */
export interface ResultAction {
  /** The event, null for all events. */
  id: string | null
  type: 'events'
  /** Place of the series in the query. */
  order: number
  name: string | null
  custom_name: string | null
  math: string | null
  math_property: string | null
}

/** One line of a trend. */
export interface TrendRow {
  action: ResultAction
  label: string
  /** Of the whole range: the sum of `data`, or the single value of displays without a time axis. */
  count: number
  data: number[]
  /** Of each interval, for people: `1-Nov-2026`. */
  labels: string[]
  /** Of each interval, for programs: `2026-11-01`, with the time for hours. */
  days: string[]
  /** For displays without a time axis; absent otherwise. */
  aggregated_value?: number
  breakdown_value?: string
  compare?: boolean
  compare_label?: 'current' | 'previous'
}

export interface LifecycleRow extends Omit<TrendRow, 'aggregated_value' | 'compare' | 'compare_label'> {
  /** The counts of `dormant` are negative. */
  status: 'new' | 'returning' | 'resurrecting' | 'dormant'
}

export interface FunnelStep {
  action_id: string | null
  name: string
  custom_name: string | null
  order: number
  /** Persons who came at least this far. */
  count: number
  type: 'events'
  /** Seconds since the previous step; null for the first step and if no person came this far. */
  average_conversion_time: number | null
  median_conversion_time: number | null
  breakdown_value?: string
}

export interface RetentionRow {
  /** `Day 0`, `Week 3`. */
  label: string
  /** Start of the interval in which the persons started, with its UTC offset. */
  date: string
  /** How many of them were active in each interval from then on. */
  values: { count: number; label: string }[]
}

/** A result, and how old it is. */
export interface ComputedInsight {
  result: InsightResult
  lastRefresh: number
  /** Whether it was computed by an earlier request. */
  isCached: boolean
}

export type InsightResult =
  | { kind: 'TrendsQuery'; display: string; interval: string; rows: TrendRow[] }
  | { kind: 'LifecycleQuery'; interval: string; rows: LifecycleRow[] }
  /** One list of steps, or one for each value of the breakdown. */
  | { kind: 'FunnelsQuery'; rows: FunnelStep[] | FunnelStep[][] }
  | { kind: 'RetentionQuery'; period: string; rows: RetentionRow[] }

/**
 * Questions to the event store, ready to be answered: every date is an instant, every filter is validated. Events are
 * counted per *actor*: the person that currently owns the event's distinct id, after merges and splits; an unowned id
 * is its own actor.
 *
 * Time is cut by *edges*: ascending instants, at least two. Interval i begins at edges[i] and ends before edges[i + 1].
 */
import type { PropertyFilter } from '../persons/person.ts'

/** Selects events by name (null: any) and by properties of events and persons. */
export interface EventSelector {
  event: string | null
  /** A condition of type `person` tests the actor's current properties; an unowned id has none. */
  filter: PropertyFilter | null
}

export type NumberMeasure = 'sum' | 'avg' | 'min' | 'max' | 'median' | 'p75' | 'p90' | 'p95' | 'p99'

/** What is counted in each interval. */
export type Measure =
  | { kind: 'events' }
  | { kind: 'actors' }
  /** Each actor in the first interval in which it occurs, and in no later one. */
  | { kind: 'first_actors' }
  /** Actors of the interval and those before it, `spans` intervals in total; see TrendQuestion. */
  | { kind: 'active_actors'; spans: number }
  /** Distinct sessions; events without one do not count. */
  | { kind: 'sessions' }
  /**
   * Of the numeric values of `property`, including numbers written as text; 0 where there are none. Minimum, maximum and
   * percentiles are the same however they are read. A sum of whole numbers within ±2^53 is exact; other sums, and
   * averages, are rounded to 12 significant digits, because the last ones depend on the order of adding.
   */
  | { kind: NumberMeasure; property: string }

/** Groups events by the text of a property, their own or their actor's. */
export interface Breakdown {
  of: 'event' | 'person'
  key: string
  /** Maximum number of distinct values, the most frequent first. */
  limit: number
}

/** One value of a breakdown; `none` is an absent, null or empty one, `other` is all beyond the limit together. */
export type BreakdownValue = { kind: 'value'; text: string } | { kind: 'none' } | { kind: 'other' }

export interface TrendQuestion {
  projectId: number
  selector: EventSelector
  measure: Measure
  edges: number[]
  breakdown: Breakdown | null
}

export interface TrendLine {
  /** Null without a breakdown. */
  breakdown: BreakdownValue | null
  /** One per interval; with `active_actors` the first `spans` - 1 intervals are only look-back and left out. */
  values: number[]
}

export interface FunnelQuestion {
  projectId: number
  /** At least one. */
  steps: EventSelector[]
  from: number
  /** Excluded. */
  to: number
  /** Conversion window: how long after the first step, inclusive, a step counts. */
  windowMs: number
  breakdown: Breakdown | null
}

export interface FunnelStepAnswer {
  count: number
  /**
   * Milliseconds since the previous step, rounded as averages are; null if no actor came this far, and for the first
   * step.
   */
  averageMs: number | null
  medianMs: number | null
}

export interface FunnelAnswer {
  breakdown: BreakdownValue | null
  steps: FunnelStepAnswer[]
}

export interface RetentionQuestion {
  projectId: number
  /** The event with which an actor enters a cohort. */
  target: EventSelector
  returning: EventSelector
  /** Whether an actor starts only with its first such event of all time, or again in every interval. */
  firstTime: boolean
  edges: number[]
}

export interface LifecycleQuestion {
  projectId: number
  selector: EventSelector
  /** The first interval is only look-back. */
  edges: number[]
}

/** Actors of each interval except the first. */
export interface LifecycleAnswer {
  /** New: the person was created in this interval, or has events in it from before its creation. */
  fresh: number[]
  /** Also active in the previous interval. */
  returning: number[]
  /** Neither new nor active in the previous interval. */
  resurrecting: number[]
  /** Active in the previous interval but not in this one. */
  dormant: number[]
}

export interface InsightStore {
  /**
   * One line, or with a breakdown one per value that has events: the largest first (by the sum of their values,
   * rounded as sums are, then by text), then `none`, then `other`. All these methods: `invalid` when the engine cannot read a pattern of a
   * filter, `unavailable` when the answer needs more memory than there is.
   */
  trend(question: TrendQuestion): Promise<TrendLine[]>
  /**
   * How many actors completed each step in order, with or without other events in between. Each actor counts with its
   * furthest attempt, the earliest of several; an event is at most one step of it. With a
   * breakdown the actor belongs to the first value that any of its steps had; values with most actors at the first step
   * first, `none` and `other` last.
   */
  funnel(question: FunnelQuestion): Promise<FunnelAnswer[]>
  /**
   * For each interval, of the actors who started in it: how many there were, and how many returned in each interval
   * after it. The first list has one entry per interval, each further list one fewer.
   */
  retention(question: RetentionQuestion): Promise<number[][]>
  lifecycle(question: LifecycleQuestion): Promise<LifecycleAnswer>
  /** When the project's first event happened; null when there is none. */
  earliestEventAt(projectId: number): Promise<number | null>
  /**
   * A text that changes with every change of the data behind these answers, and never becomes one that it was before a
   * change, whatever is closed, killed or restored. Batches applied before, compaction and other projects leave it as it
   * is. Costs nothing, however much data there is.
   */
  dataVersion(projectId: number): Promise<string>
}

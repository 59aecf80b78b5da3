/**
 * Questions to the event store, ready to be answered: every date is an instant, every filter is checked. Whose events
 * are counted is the *actor*: the person that owns the event's distinct id now, as merges and splits left it; an id
 * that is nobody's is an actor of its own.
 *
 * Time is cut by *edges*: ascending instants, at least two. Interval i begins at edges[i] and ends before edges[i + 1].
 */
import type { PropertyFilter } from '../persons/person.ts'

/** Events by their name (null: any) and by what they and their people are like. */
export interface EventSelector {
  event: string | null
  /** A condition of type `person` is about what the actor is like now; nobody has no properties. */
  filter: PropertyFilter | null
}

export type NumberMeasure = 'sum' | 'avg' | 'min' | 'max' | 'median' | 'p75' | 'p90' | 'p95' | 'p99'

/** What is counted in each interval. */
export type Measure =
  | { kind: 'events' }
  | { kind: 'actors' }
  /** Each actor in the first interval in which it is seen, and in no later one. */
  | { kind: 'first_actors' }
  /** Actors of the interval and of those before it, `spans` in all; see TrendQuestion. */
  | { kind: 'active_actors'; spans: number }
  /** Distinct sessions; events without one do not count. */
  | { kind: 'sessions' }
  /** Of the numbers under `property`, also such as are spelt as text; 0 where there are none. */
  | { kind: NumberMeasure; property: string }

/** Events apart by the text of a property, of theirs or of their actor's. */
export interface Breakdown {
  of: 'event' | 'person'
  key: string
  /** So many values are told apart, those with the most first. */
  limit: number
}

/** One value of a breakdown; `none` is an absent, null or empty one, `other` all beyond the limit, together. */
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
  /** One for each interval; with `active_actors` the first `spans` - 1 intervals only look back and are left out. */
  values: number[]
}

export interface FunnelQuestion {
  projectId: number
  /** At least one. */
  steps: EventSelector[]
  from: number
  /** Excluded. */
  to: number
  /** So long after the first step, the end included, a step counts. */
  windowMs: number
  breakdown: Breakdown | null
}

export interface FunnelStepAnswer {
  count: number
  /** Milliseconds since the step before; null where nobody came, and of the first step. */
  averageMs: number | null
  medianMs: number | null
}

export interface FunnelAnswer {
  breakdown: BreakdownValue | null
  steps: FunnelStepAnswer[]
}

export interface RetentionQuestion {
  projectId: number
  /** What an actor begins with. */
  target: EventSelector
  returning: EventSelector
  /** Whether an actor begins once, with its very first such event of all time, or anew in every interval. */
  firstTime: boolean
  edges: number[]
}

export interface LifecycleQuestion {
  projectId: number
  selector: EventSelector
  /** The first interval only looks back. */
  edges: number[]
}

/** Actors of each interval but the first. */
export interface LifecycleAnswer {
  /** Seen for the first time: the person was made in this interval, or has events here before it was made. */
  fresh: number[]
  /** Also seen in the interval before. */
  returning: number[]
  /** Neither. */
  resurrecting: number[]
  /** Seen in the interval before but not in this one. */
  dormant: number[]
}

export interface InsightStore {
  /**
   * One line, or with a breakdown one for each value that has events: those with the most (of the sum of their values,
   * then by text), then `none`, then `other`. All these methods: `invalid` when the engine cannot read a pattern of a
   * filter, `unavailable` when the answer takes more memory than there is.
   */
  trend(question: TrendQuestion): Promise<TrendLine[]>
  /**
   * How many actors came how far, taking the steps in their order, other events between them or not. Each actor counts
   * with the attempt that came furthest, of several with the earliest; an event is at most one step of it. With a
   * breakdown the actor belongs to the first value that any of its steps had; most at the first step first, `none` and
   * `other` last.
   */
  funnel(question: FunnelQuestion): Promise<FunnelAnswer[]>
  /**
   * For each interval, of the actors who began in it: how many there were, and how many returned in each interval after
   * it. The first list is as long as there are intervals, each further one shorter by one.
   */
  retention(question: RetentionQuestion): Promise<number[][]>
  lifecycle(question: LifecycleQuestion): Promise<LifecycleAnswer>
  /** When the project's first event happened; null when there is none. */
  earliestEventAt(projectId: number): Promise<number | null>
  /** A text that is another one after every change of what these answers come from. Cheap. */
  dataVersion(projectId: number): Promise<string>
}

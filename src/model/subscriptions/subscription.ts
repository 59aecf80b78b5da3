/**
 * Subscriptions: scheduled deliveries of an insight or a dashboard to a target. Deleting one only marks
 * it. Names in quotes are the fields of the API; `summary` and `created_by` are made from what is here.
 */

export const TARGET_TYPES = ['email', 'slack', 'webhook', 'teams'] as const
export const FREQUENCIES = ['daily', 'weekly', 'monthly', 'yearly'] as const
/** In the order of the week: positions (`bysetpos`) count from Monday. */
export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

export type TargetType = (typeof TARGET_TYPES)[number]
export type Frequency = (typeof FREQUENCIES)[number]
export type Weekday = (typeof WEEKDAYS)[number]

/** When a subscription is due; rules/subscriptions/recurrence.ts explains the fields. */
export interface Schedule {
  frequency: Frequency
  interval: number
  /** Null or empty: not restricted to weekdays. */
  byweekday: Weekday[] | null
  /** Only used together with weekdays; stored without them too. */
  bysetpos: number | null
  /** Null: unlimited. */
  count: number | null
  startDate: number
  /** Inclusive. */
  untilDate: number | null
  /** IANA name of the time zone whose local time the rule uses. */
  timezone: string
}

export interface Subscription extends Schedule {
  /** Ascending, never reused. */
  id: number
  projectId: number
  /** "dashboard". With both set the dashboard is delivered, with neither the project's default one. */
  dashboardId: number | null
  /** "insight": the integer id, not the short one. */
  insightId: number | null
  targetType: TargetType
  /** Normalised by features/subscriptions/target.ts; a secret unless `targetType` is `email`. */
  targetValue: string
  title: string | null
  inviteMessage: string | null
  /** "created_by": never null; a removed user stays as the author. */
  createdById: number
  createdAt: number
  deleted: boolean
  /** Null when no date is left. */
  nextDeliveryDate: number | null
  /** Not sent while set: since when, and why, as text for people. Because the target can never work, or on request. */
  disabledAt: number | null
  disabledReason: string | null
  /** Signs the deliveries of a webhook; null for every other target. Shown once, when it is created. */
  signingSecret: string | null
}

export type NewSubscription = Omit<Subscription, 'id'>

export type SubscriptionPatch = Partial<Omit<Subscription, 'id' | 'projectId' | 'createdById' | 'createdAt'>>

/** What is delivered: `dashboard` also when neither is named, because then it is the default one. */
export type ResourceType = 'insight' | 'dashboard'

export interface SubscriptionFilter {
  projectId: number
  deleted: boolean
  insightId?: number
  dashboardId?: number
  createdByUuid?: string
  targetType?: TargetType
  /** `none`: a kind of resource that no subscription has. */
  resourceType?: ResourceType | 'none'
  /** Words; each must be contained, case-insensitive, in the title, or in the name or derived name of its insight or dashboard. */
  search?: string[]
}

export const SUBSCRIPTION_ORDERS = ['created_at', 'next_delivery_date', 'title', 'created_by__email'] as const

export interface SubscriptionOrder {
  by: (typeof SUBSCRIPTION_ORDERS)[number]
  descending: boolean
}

export interface SubscriptionReader {
  /** Deleted ones too; null when the project has no such subscription. */
  find(projectId: number, id: number): Promise<Subscription | null>
  /**
   * One page and the total of all. Ordered by `order`, first entry first, nulls last in either direction;
   * ties, and everything when `order` is empty, newest first, by (createdAt, id). Exact pages.
   */
  list(
    filter: SubscriptionFilter,
    order: SubscriptionOrder[],
    page: { limit: number; offset: number },
  ): Promise<{ count: number; items: Subscription[] }>
  /** Up to `limit` that are due at `now` and neither deleted nor disabled, of all projects; the earliest first. */
  due(now: number, limit: number): Promise<Subscription[]>
  /** Up to `limit` neither deleted nor disabled whose date is after `now` or null, of all projects, by id, after this id. */
  ahead(now: number, afterId: number, limit: number): Promise<Subscription[]>
  /** When the address (case-insensitive) last unsubscribed; null: never. */
  departedAt(subscriptionId: number, address: string): Promise<number | null>
}

export interface SubscriptionWriter extends SubscriptionReader {
  /**
   * Advances the date from `from` to `to`; false, and nothing changes, when it is not `from` any more or the
   * subscription is not sent. Only one caller gets true, and that one must create the delivery.
   */
  advance(id: number, from: number, to: number | null): Promise<boolean>
  /** Records that the address unsubscribed, the newest time only. */
  addDeparture(subscription: Pick<Subscription, 'id' | 'projectId'>, address: string, at: number): Promise<void>
  create(subscription: NewSubscription): Promise<Subscription>
  /** Absent fields stay; null when the project has no such subscription. */
  update(projectId: number, id: number, patch: SubscriptionPatch): Promise<Subscription | null>
}

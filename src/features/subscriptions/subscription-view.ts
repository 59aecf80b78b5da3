/** A stored subscription as the API and the activity log show it. */
import { formatInstant, formatOptional } from '../../lib/time/time.ts'
import type { User } from '../../model/accounts/user.ts'
import type { Subscription } from '../../model/subscriptions/subscription.ts'
import { viewUser } from '../../rules/accounts/user-view.ts'
import { summarise } from '../../rules/subscriptions/schedule-summary.ts'

export interface Extras {
  /** Only in the answer to the request that created it. */
  secret: string | null
  /** Why it cannot be sent at present. */
  problem: string | null
}

export const viewSubscription = (subscription: Subscription, author: User, { secret, problem }: Extras) => ({
  id: subscription.id,
  dashboard: subscription.dashboardId,
  insight: subscription.insightId,
  target_type: subscription.targetType,
  target_value: subscription.targetValue,
  frequency: subscription.frequency,
  interval: subscription.interval,
  byweekday: subscription.byweekday,
  bysetpos: subscription.bysetpos,
  count: subscription.count,
  start_date: formatInstant(subscription.startDate),
  until_date: formatOptional(subscription.untilDate),
  created_at: formatInstant(subscription.createdAt),
  created_by: viewUser(author),
  deleted: subscription.deleted,
  title: subscription.title,
  summary: summarise(subscription),
  next_delivery_date: formatOptional(subscription.nextDeliveryDate),
  invite_message: subscription.inviteMessage,
  timezone: subscription.timezone,
  signing_secret: secret,
  enabled: subscription.disabledAt === null,
  delivery_problem: problem,
})

export type SubscriptionView = ReturnType<typeof viewSubscription>

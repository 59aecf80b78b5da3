/**
 * The activity log's entries of a subscription: which fields changed, in the API's names. Of secret addresses only the
 * host is shown, of the signing secret nothing.
 */
import { formatInstant, formatOptional } from '../../lib/time/time.ts'
import type { ActivityChange } from '../../model/accounts/activity.ts'
import type { Subscription } from '../../model/subscriptions/subscription.ts'
import { fieldChanges } from '../../rules/activity/field-changes.ts'
import { safeTarget } from '../../rules/subscriptions/target.ts'

const TYPE = 'Subscription'

const loggedFields = (subscription: Subscription) => ({
  dashboard: subscription.dashboardId,
  insight: subscription.insightId,
  target_type: subscription.targetType,
  target_value: safeTarget(subscription),
  frequency: subscription.frequency,
  interval: subscription.interval,
  byweekday: subscription.byweekday,
  bysetpos: subscription.bysetpos,
  count: subscription.count,
  start_date: formatInstant(subscription.startDate),
  until_date: formatOptional(subscription.untilDate),
  deleted: subscription.deleted,
  title: subscription.title,
  invite_message: subscription.inviteMessage,
  timezone: subscription.timezone,
  enabled: subscription.disabledAt === null,
})

/** That a secret changed, without its value. */
const silentChange = (field: string): ActivityChange => ({
  type: TYPE,
  action: 'changed',
  field,
  before: null,
  after: null,
})

export function subscriptionChanges(before: Subscription, after: Subscription): ActivityChange[] {
  const changes = fieldChanges(TYPE, loggedFields(before), loggedFields(after))
  const hidden = before.targetValue !== after.targetValue && !changes.some(({ field }) => field === 'target_value')
  return [
    ...changes,
    ...(hidden ? [silentChange('target_value')] : []),
    ...(before.signingSecret === after.signingSecret ? [] : [silentChange('signing_secret')]),
  ]
}

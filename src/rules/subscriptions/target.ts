/** The recipients of a subscription's target, and how much of a target may be shown. */
import { splitAddresses } from '../../lib/net/mail-address.ts'
import type { Subscription } from '../../model/subscriptions/subscription.ts'

export type Target = Pick<Subscription, 'targetType' | 'targetValue'>

/** The target as it may be logged and stored: e-mail addresses and channels unchanged, only the host of a URL. */
export function safeTarget({ targetType, targetValue }: Target): string {
  if (targetType === 'email' || !URL.canParse(targetValue)) return targetValue
  return new URL(targetValue).host
}

/** All recipients, as they may be shown; every target except mail has one. */
export const recipientsOf = (target: Target): string[] =>
  target.targetType === 'email' ? splitAddresses(target.targetValue) : [safeTarget(target)]

/** Recipients of `after` that `before` did not have. */
export function addedRecipients(before: Target, after: Target): string[] {
  if (before.targetType !== after.targetType) return recipientsOf(after)
  if (after.targetType !== 'email') return before.targetValue === after.targetValue ? [] : recipientsOf(after)
  const known = new Set(recipientsOf(before).map((address) => address.toLowerCase()))
  return recipientsOf(after).filter((address) => !known.has(address.toLowerCase()))
}

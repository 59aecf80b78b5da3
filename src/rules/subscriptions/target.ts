/** What a subscription's target says about whom it reaches, and how much of that may be shown. */
import { splitAddresses } from '../../lib/net/mail-address.ts'
import type { Subscription } from '../../model/subscriptions/subscription.ts'

export type Target = Pick<Subscription, 'targetType' | 'targetValue'>

/** The target as it may be logged and kept: e-mail addresses and channels as they are, of a URL the host. */
export function safeTarget({ targetType, targetValue }: Target): string {
  if (targetType === 'email' || !URL.canParse(targetValue)) return targetValue
  return new URL(targetValue).host
}

/** Everyone it is sent to, by what may be shown of them; of anything but mail there is one. */
export const recipientsOf = (target: Target): string[] =>
  target.targetType === 'email' ? splitAddresses(target.targetValue) : [safeTarget(target)]

/** Those that `after` reaches and `before` did not. */
export function addedRecipients(before: Target, after: Target): string[] {
  if (before.targetType !== after.targetType) return recipientsOf(after)
  if (after.targetType !== 'email') return before.targetValue === after.targetValue ? [] : recipientsOf(after)
  const known = new Set(recipientsOf(before).map((address) => address.toLowerCase()))
  return recipientsOf(after).filter((address) => !known.has(address.toLowerCase()))
}

/** Subscriptions, put together: what users change of them, and how a recipient leaves one. */
import { createRecipientRemoval, type RecipientRemovalParts } from './remove-recipient.ts'
import { createSubscriptions, type SubscriptionsParts } from './subscriptions.ts'

export interface SubscriptionsFeatureParts extends SubscriptionsParts {
  stores: SubscriptionsParts['stores'] & RecipientRemovalParts['stores']
}

export function createSubscriptionsFeature(parts: SubscriptionsFeatureParts) {
  const { stores, clock } = parts
  return { ...createSubscriptions(parts), recipientRemoval: createRecipientRemoval({ stores, clock }) }
}

export type SubscriptionsFeature = ReturnType<typeof createSubscriptionsFeature>

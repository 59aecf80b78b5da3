/** Removes an address from a subscription at the recipient's request: once for each link, and only that address. */
import type { Clock } from '../../lib/time/clock.ts'
import type { SqlReaders, Stores } from '../../model/stores.ts'
import { recipientsOf } from '../../rules/subscriptions/target.ts'
import type { UnsubscribeClaim } from '../../rules/subscriptions/unsubscribe-token.ts'
import { change } from './subscription-change.ts'

/** `used`: the address has unsubscribed since, or was removed. */
export type RecipientState = 'subscribed' | 'used' | 'unknown'

const isSameAddress = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

type Readers = Pick<SqlReaders, 'projects' | 'subscriptions'>

/** A project that is being removed counts as unknown. */
async function recipientState(readers: Readers, { projectId, subscriptionId, address, issuedAt }: UnsubscribeClaim) {
  const isLiving = (await readers.projects.find(projectId)) !== null
  const subscription = isLiving ? await readers.subscriptions.find(projectId, subscriptionId) : null
  if (!subscription) return { is: 'unknown', subscription } as const
  const departedAt = await readers.subscriptions.departedAt(subscriptionId, address)
  const isListed =
    subscription.targetType === 'email' && recipientsOf(subscription).some((one) => isSameAddress(one, address))
  const isUsed = !isListed || (departedAt !== null && departedAt >= issuedAt)
  return { is: isUsed ? 'used' : 'subscribed', subscription } as const
}

export interface RecipientRemovalParts {
  stores: Pick<Stores, 'projects' | 'subscriptions' | 'transaction'>
  clock: Clock
}

export const createRecipientRemoval = ({ stores, clock }: RecipientRemovalParts) => ({
  /** Whether the address can still unsubscribe by this token. */
  standing: async (leaving: UnsubscribeClaim): Promise<RecipientState> => (await recipientState(stores, leaving)).is,
  /** Removes the address; with the last one the subscription is deleted. Returns the state before. */
  leave: (leaving: UnsubscribeClaim): Promise<RecipientState> =>
    stores.transaction(async (tx) => {
      const now = clock.now()
      const { is, subscription } = await recipientState(tx, leaving)
      if (is !== 'subscribed' || !subscription) return is
      const left = recipientsOf(subscription).filter((address) => !isSameAddress(address, leaving.address))
      const patch = { targetValue: left.join(','), ...(left.length === 0 ? { deleted: true } : {}) }
      await change(tx, null, subscription, patch, now)
      await tx.subscriptions.addDeparture(subscription, leaving.address, now)
      return is
    }),
})

/** How an address takes itself off a subscription: once for each link it was given, and only itself. */
import type { Clock } from '../../lib/time/clock.ts'
import type { SqlReaders, Stores } from '../../model/stores.ts'
import { recipientsOf } from '../../rules/subscriptions/target.ts'
import type { UnsubscribeClaim } from '../../rules/subscriptions/unsubscribe-token.ts'
import { change } from './subscription-change.ts'

/** `used`: the address has left since, or was taken off. */
export type Standing = 'subscribed' | 'used' | 'unknown'

const isSameAddress = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

type Readers = Pick<SqlReaders, 'projects' | 'subscriptions'>

/** Nothing is known of a project that is being removed. */
async function standingOf(readers: Readers, { projectId, subscriptionId, address, issuedAt }: UnsubscribeClaim) {
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
  /** Whether the address can still leave by what was signed then. */
  standing: async (leaving: UnsubscribeClaim): Promise<Standing> => (await standingOf(stores, leaving)).is,
  /** Takes the address off; the last one to leave deletes the subscription. Gives how it stood before. */
  leave: (leaving: UnsubscribeClaim): Promise<Standing> =>
    stores.transaction(async (tx) => {
      const now = clock.now()
      const { is, subscription } = await standingOf(tx, leaving)
      if (is !== 'subscribed' || !subscription) return is
      const left = recipientsOf(subscription).filter((address) => !isSameAddress(address, leaving.address))
      const patch = { targetValue: left.join(','), ...(left.length === 0 ? { deleted: true } : {}) }
      await change(tx, null, subscription, patch, now)
      await tx.subscriptions.addDeparture(subscription, leaving.address, now)
      return is
    }),
})

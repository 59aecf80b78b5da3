/** A report without content, for tests of sending. */
import type { Report } from '../../../src/features/deliveries/messages/report.ts'
import type { Delivery } from '../../../src/model/subscriptions/delivery.ts'
import type { Subscription } from '../../../src/model/subscriptions/subscription.ts'

export const emptyReport = async (
  delivery: Delivery,
  { id, timezone, nextDeliveryDate }: Subscription,
): Promise<Report> => ({
  occasion: delivery.occasion,
  deliveryId: delivery.id,
  scheduledAt: delivery.scheduledAt,
  isLate: delivery.isLate,
  subscription: { id, title: null, summary: '', nextDeliveryDate, timezone, inviteMessage: null, link: null },
  creator: { firstName: 'Ann', email: 'ann@example.com' },
  resource: { kind: 'dashboard', id: 1, name: 'Numbers', link: null },
  tiles: [],
  tileCount: 0,
  pages: [],
})

/** Tells the creator of a subscription, once, that it is not sent any more. That it is disabled stands, told or not. */
import { jobBackoff } from '../../lib/concurrency/backoff.ts'
import type { Job, Worker } from '../../model/job.ts'
import type { SqlStores } from '../../model/stores.ts'
import type { Mailer } from '../../transports/mail.ts'
import { NothingToSend } from './deliver.ts'
import { NOTIFY_DISABLED, type NotifyPayload } from './disable-subscription.ts'
import { disabledMail } from './messages/disabled-mail.ts'
import type { Links } from './report-links.ts'
import { resourceOf } from './subscription-resource.ts'

export interface NotifyParts {
  stores: Pick<SqlStores, 'subscriptions' | 'users' | 'dashboards' | 'insights'>
  mailer: Mailer
  links: Links
  /** The creator's own address refused the mail. */
  failed: (subscriptionId: number, reason: string) => void
}

const MAX_TRIES = 5

export function createNotifyWorker({ stores, mailer, links, failed }: NotifyParts): Worker {
  const nameOf = async (subscription: Parameters<typeof resourceOf>[1]): Promise<string> => {
    try {
      return (await resourceOf(stores, subscription)).name
    } catch (error) {
      if (error instanceof NothingToSend) return 'Untitled report'
      throw error
    }
  }
  return {
    kind: NOTIFY_DISABLED,
    atOnce: 1,
    maxAttempts: MAX_TRIES,
    backoff: jobBackoff,
    async run({ projectId, payload, attempts }: Job) {
      const { subscriptionId, disabledAt } = payload as NotifyPayload
      const subscription = await stores.subscriptions.find(projectId ?? -1, subscriptionId)
      const creator = subscription && (await stores.users.find(subscription.createdById))
      if (!subscription || !creator?.isActive || subscription.disabledAt !== disabledAt) return
      const { id, title, disabledReason } = subscription
      const link = links.subscription(subscription.projectId, id)
      const mail = disabledMail({
        subscription: { id, title, link },
        resource: { name: await nameOf(subscription) },
        reason: disabledReason ?? 'Its target cannot be reached.',
      })
      const messageId = `<disabled.${id}.${disabledAt}@${mailer.domain}>`
      const outcome = await mailer.send({ ...mail, to: creator.email, messageId, unsubscribeLink: null })
      if (outcome.kind === 'accepted') return
      if (outcome.kind === 'retry' && attempts < MAX_TRIES) throw new Error(outcome.reason)
      failed(subscriptionId, outcome.reason)
    },
  }
}

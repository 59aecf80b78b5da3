/** The channels this installation can send by, and sending a message to one recipient. */
import type { Clock } from '../../lib/time/clock.ts'
import type { DeliveryError } from '../../model/subscriptions/delivery.ts'
import { safeTarget, type Target } from '../../rules/subscriptions/target.ts'
import type { HttpPost } from '../../transports/http-post.ts'
import type { Mailer } from '../../transports/mail.ts'
import { type Outcome, refused } from '../../transports/outcome.ts'
import { postChat, postSlack, postWebhook, signWebhook } from '../../transports/webhooks.ts'
import type { OutgoingMessage } from './deliver.ts'
import { mailOf } from './messages/mail.ts'
import { slackContent } from './messages/slack.ts'
import { teamsContent } from './messages/teams.ts'
import { webhookContent } from './messages/webhook.ts'
import { type ChannelSupport, messageIdOf } from './new-delivery.ts'

export interface ChannelParts {
  clock: Clock
  /** Null: no mail server is configured. */
  mailer: Mailer | null
  post: HttpPost
  slackToken: string | null
  /** Unsubscribe link for the recipient of a mail; null without a public address. */
  unsubscribeLink: (outgoing: OutgoingMessage) => Promise<string | null>
}

const NO_MAIL: DeliveryError = {
  type: 'not_configured',
  message: 'Mail is not configured: set HEDGEROW_SMTP_URL and HEDGEROW_MAIL_FROM.',
}
const NO_SLACK: DeliveryError = {
  type: 'not_configured',
  message: 'Slack is not configured: set HEDGEROW_SLACK_TOKEN, or use the URL of an incoming webhook.',
}

const isUrl = ({ targetValue }: Target): boolean => URL.canParse(targetValue)
const isChannel = (target: Target): boolean => target.targetType === 'slack' && !isUrl(target)

export const createChannelSupport = ({
  mailer,
  slackToken,
}: Pick<ChannelParts, 'mailer' | 'slackToken'>): ChannelSupport => ({
  problemOf(target) {
    if (target.targetType === 'email') return mailer === null ? NO_MAIL : null
    return isChannel(target) && slackToken === null ? NO_SLACK : null
  },
  mailDomain: mailer?.domain ?? null,
})

export function createSender({ clock, mailer, post, slackToken, unsubscribeLink }: ChannelParts) {
  async function mail(outgoing: OutgoingMessage): Promise<Outcome> {
    const { recipient, report } = outgoing
    if (mailer === null) return refused(NO_MAIL.message)
    const link = await unsubscribeLink(outgoing)
    const isCreator = recipient.recipient.toLowerCase() === report.creator.email.toLowerCase()
    return mailer.send({
      ...mailOf(report, { address: recipient.recipient, isCreator, unsubscribeLink: link }),
      to: recipient.recipient,
      messageId: recipient.messageId ?? messageIdOf(recipient.id, mailer.domain),
      unsubscribeLink: link,
    })
  }

  function slack({ delivery, report }: OutgoingMessage): Promise<Outcome> {
    const content = slackContent(report)
    if (!isChannel(delivery)) return postChat(post, delivery.targetValue, JSON.stringify(content))
    if (slackToken === null) return Promise.resolve(refused(NO_SLACK.message))
    const [channel = ''] = delivery.targetValue.split('|')
    return postSlack(post, { token: slackToken, channel, content: { ...content } })
  }

  function webhook({ delivery, subscription, report }: OutgoingMessage): Promise<Outcome> {
    const body = JSON.stringify(webhookContent(report))
    if (subscription.signingSecret === null) {
      return Promise.resolve(refused(`${safeTarget(delivery)} has no signing secret.`))
    }
    const signature = signWebhook(subscription.signingSecret, body, clock.now())
    return postWebhook(post, { url: delivery.targetValue, body, deliveryId: delivery.id, signature })
  }

  return (outgoing: OutgoingMessage): Promise<Outcome> => {
    switch (outgoing.delivery.targetType) {
      case 'email':
        return mail(outgoing)
      case 'slack':
        return slack(outgoing)
      case 'teams':
        return postChat(post, outgoing.delivery.targetValue, JSON.stringify(teamsContent(outgoing.report)))
      case 'webhook':
        return webhook(outgoing)
    }
  }
}

/** Puts sending together: what this installation can send by, what makes the reports, and the work of the runner. */
import type { AppParts } from './app-parts.ts'
import { drawInsight } from './charts/draw-insight.ts'
import { toPng } from './charts/png.ts'
import { createChannelSupport, createSender } from './features/deliveries/channels.ts'
import { createSendConfirmations } from './features/deliveries/confirmations.ts'
import { createDeliverWorker, type OutgoingMessage } from './features/deliveries/deliver.ts'
import { createDeliveries } from './features/deliveries/deliveries.ts'
import { createDueDeliveries } from './features/deliveries/due-deliveries.ts'
import { createReportMaker, type ReportParts } from './features/deliveries/make-report.ts'
import { PICTURE_WIDTH } from './features/deliveries/messages/report.ts'
import { createNotifyWorker } from './features/deliveries/notify-disabled.ts'
import { linksFrom } from './features/deliveries/report-links.ts'
import type { Clock } from './lib/time/clock.ts'
import { toWall } from './lib/time/time-zone.ts'
import type { Worker } from './model/job.ts'
import type { Stores } from './model/stores.ts'
import { secretFinder } from './rules/accounts/server-secret.ts'
import { writeUnsubscribeToken } from './rules/subscriptions/unsubscribe-token.ts'
import { createHttpPost } from './transports/http-post.ts'
import { createMailer } from './transports/mail.ts'

const drawAt =
  (clock: Clock): ReportParts['draw'] =>
  async ({ timezone }, { name, result, error }) => {
    const look = { theme: 'light', width: PICTURE_WIDTH, wallNow: toWall(clock.now(), timezone) } as const
    return toPng(await drawInsight({ title: name, result, error, ...look }))
  }

export function buildDeliveries(stores: Stores, parts: AppParts, compute: ReportParts['compute']) {
  const { config, clock, logger } = parts
  const { smtpUrl, mailFrom, slackToken, webhookAllow, publicUrl } = config
  const mailer = smtpUrl === null || mailFrom === null ? null : createMailer({ url: smtpUrl, from: mailFrom })
  const channels = createChannelSupport({ mailer, slackToken })
  const links = linksFrom(publicUrl)
  const secret = secretFinder({ stores, secret: config.secret, name: 'unsubscribe' })
  const unsubscribeLink = async ({
    subscription: { projectId, id },
    recipient,
  }: OutgoingMessage): Promise<string | null> => {
    const leaving = { projectId, subscriptionId: id, address: recipient.recipient, issuedAt: clock.now() }
    return links.unsubscribe(writeUnsubscribeToken(await secret(), leaving))
  }
  const makeReport = createReportMaker({
    stores,
    compute,
    draw: drawAt(clock),
    links,
    failed: (insight, err) => logger.warn({ err, insight: insight.id }, 'a part of a report could not be computed'),
  })
  const post = createSender({
    clock,
    mailer,
    post: createHttpPost({ allow: webhookAllow }),
    slackToken,
    unsubscribeLink,
  })
  const untold = (subscription: number, reason: string) =>
    logger.warn({ subscription, reason }, 'the creator of a disabled subscription could not be told')
  const workers: Worker[] = [
    createDeliverWorker({ stores, clock, makeReport, post, canNotify: mailer !== null }),
    ...(mailer ? [createNotifyWorker({ stores, mailer, links, failed: untold })] : []),
  ]
  return {
    ...createDeliveries({ stores, clock, channels }),
    sendConfirmations: createSendConfirmations(channels),
    problemOf: channels.problemOf,
    /** Signs the links by which an address leaves. */
    secret,
    /** What the runner has to do for it. */
    workers,
    createDueDeliveries: (signal?: AbortSignal) => createDueDeliveries({ stores, clock, channels }, signal),
  }
}

export type DeliveriesFeature = ReturnType<typeof buildDeliveries>

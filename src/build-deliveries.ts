/** Puts sending together: what this installation can send by, what makes the reports, and the work of the runner. */
import type { AppParts } from './app-parts.ts'
import { drawInsight } from './charts/draw-insight.ts'
import { toPng } from './charts/png.ts'
import { createPost, createReach } from './features/deliveries/channels.ts'
import { createAnnounce } from './features/deliveries/confirmations.ts'
import { createDeliverWorker, type Parcel } from './features/deliveries/deliver.ts'
import { createDeliveries } from './features/deliveries/deliveries.ts'
import { takeDue } from './features/deliveries/due-deliveries.ts'
import { createReportOf, type ReportParts } from './features/deliveries/make-report.ts'
import { PICTURE_WIDTH } from './features/deliveries/messages/report.ts'
import { createTellWorker } from './features/deliveries/notify-disabled.ts'
import { linksFrom } from './features/deliveries/report-links.ts'
import type { Clock } from './lib/time/clock.ts'
import { toWall } from './lib/time/time-zone.ts'
import type { Worker } from './model/job.ts'
import type { Stores } from './model/stores.ts'
import { secretFinder } from './rules/accounts/server-secret.ts'
import { writeLeaving } from './rules/subscriptions/unsubscribe-token.ts'
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
  const reach = createReach({ mailer, slackToken })
  const links = linksFrom(publicUrl)
  const secret = secretFinder({ stores, secret: config.secret, name: 'unsubscribe' })
  const unsubscribeLink = async ({ subscription: { projectId, id }, recipient }: Parcel): Promise<string | null> => {
    const leaving = { projectId, subscriptionId: id, address: recipient.recipient, issuedAt: clock.now() }
    return links.unsubscribe(writeLeaving(await secret(), leaving))
  }
  const reportOf = createReportOf({
    stores,
    compute,
    draw: drawAt(clock),
    links,
    failed: (insight, err) => logger.warn({ err, insight: insight.id }, 'a part of a report could not be computed'),
  })
  const post = createPost({ clock, mailer, post: createHttpPost({ allow: webhookAllow }), slackToken, unsubscribeLink })
  const untold = (subscription: number, reason: string) =>
    logger.warn({ subscription, reason }, 'the creator of a disabled subscription could not be told')
  const workers: Worker[] = [
    createDeliverWorker({ stores, clock, reportOf, post, canTell: mailer !== null }),
    ...(mailer ? [createTellWorker({ stores, mailer, links, failed: untold })] : []),
  ]
  return {
    ...createDeliveries({ stores, clock, reach }),
    announce: createAnnounce(reach),
    problemOf: reach.problemOf,
    /** Signs the links by which an address leaves. */
    secret,
    /** What the runner has to do for it. */
    workers,
    takeDue: (signal?: AbortSignal) => takeDue({ stores, clock, reach }, signal),
  }
}

export type DeliveriesFeature = ReturnType<typeof buildDeliveries>

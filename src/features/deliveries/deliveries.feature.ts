/** Sending, put together: what this installation can send by, what makes the reports, and the work of the runner. */
import type { Logger } from 'pino'
import type { RateLimiter } from '../../http/access/rate-limit.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { formatInstant } from '../../lib/time/time.ts'
import { toWall } from '../../lib/time/time-zone.ts'
import type { Project } from '../../model/accounts/project.ts'
import type { Insight } from '../../model/insights/insight.ts'
import type { InsightResult } from '../../model/insights/insight-result.ts'
import type { Worker } from '../../model/job.ts'
import type { SqlStores } from '../../model/stores.ts'
import { secretFinder } from '../../rules/accounts/server-secret.ts'
import { writeUnsubscribeToken } from '../../rules/subscriptions/unsubscribe-token.ts'
import { createHttpPost } from '../../transports/http-post.ts'
import { createMailer } from '../../transports/mail.ts'
import { createChannelSupport, createSender } from './channels.ts'
import { createSendConfirmations } from './confirmations.ts'
import { createDeliverWorker, type DeliverParts, type OutgoingMessage } from './deliver.ts'
import { createDeliveries } from './deliveries.ts'
import { createDueDeliveries } from './due-deliveries.ts'
import { type MailHealth, watchMail } from './mail-health.ts'
import { createReportMaker, type ReportParts } from './make-report.ts'
import { PICTURE_WIDTH } from './messages/report.ts'
import type { ChannelSupport } from './new-delivery.ts'
import { createNotifyWorker } from './notify-disabled.ts'
import { type Links, linksFrom } from './report-links.ts'
import { rewindDates } from './rewind-schedule.ts'

interface Picture {
  title: string
  result: InsightResult | null
  error: string | null
  theme: 'light'
  width: number
  wallNow: number
}

type Filters = Record<string, unknown>

export interface DeliveriesFeatureParts {
  stores: SqlStores
  clock: Clock
  limiter: RateLimiter
  logger: Logger
  /** Of the installation; null where nothing is set. */
  settings: {
    smtpUrl: string | null
    mailFrom: string | null
    slackToken: string | null
    /** Hosts that webhooks may name although they are not public. */
    webhookAllow: readonly string[]
    publicUrl: string | null
    /** Whether the web app is served. */
    webApp: boolean
    /** The operator's own secret, before the stored one. */
    secret: string | null
  }
  /** `filters`: of the dashboard on which it is shown. A report waits for its turn however many others do. */
  computeInsight: (
    project: Project,
    insight: Insight,
    options: { filters: Filters; isBackground: true },
  ) => Promise<{ result: InsightResult }>
  drawInsight: (picture: Picture) => Promise<string>
  toPng: (svg: string) => Promise<Buffer>
  /** Told of each attempt to send a message. */
  attempted: DeliverParts['attempted'] & {}
}

/** What makes the reports, of numbers and pictures that others make. */
function createReports(
  { stores, clock, logger, computeInsight, drawInsight, toPng }: DeliveriesFeatureParts,
  links: Links,
) {
  const draw: ReportParts['draw'] = async ({ timezone }, { name, result, error }) => {
    const look = { theme: 'light', width: PICTURE_WIDTH, wallNow: toWall(clock.now(), timezone) } as const
    return toPng(await drawInsight({ title: name, result, error, ...look }))
  }
  return createReportMaker({
    stores,
    compute: async (project, insight, filters) =>
      (await computeInsight(project, insight, { filters, isBackground: true })).result,
    draw,
    links,
    failed: (insight, err) => logger.warn({ err, insight: insight.id }, 'a part of a report could not be computed'),
  })
}

/** The mail server's state; null without one. */
function createMail({ clock, logger, settings: { smtpUrl, mailFrom } }: DeliveriesFeatureParts): MailHealth | null {
  if (smtpUrl === null || mailFrom === null) return null
  return watchMail({
    mailer: createMailer({ url: smtpUrl, from: mailFrom }),
    clock,
    changed: (trouble) =>
      trouble === null ? logger.info('mail can be sent again') : logger.error(trouble, 'mail cannot be sent'),
  })
}

/** Besides what is not configured: a mail server that stays down. It is tried all the same. */
const withTrouble =
  (problemOf: ChannelSupport['problemOf'], mail: MailHealth | null): ChannelSupport['problemOf'] =>
  (target) => {
    const trouble = target.targetType === 'email' ? mail?.trouble() : null
    if (!trouble) return problemOf(target)
    const message = `Mail cannot be sent since ${formatInstant(trouble.since)}: ${trouble.reason}`
    return { type: 'mail_server_down', message }
  }

export function createDeliveriesFeature(parts: DeliveriesFeatureParts) {
  const { stores, clock, limiter, logger, settings, attempted } = parts
  const { slackToken, webhookAllow, publicUrl, webApp } = settings
  const mail = createMail(parts)
  const mailer = mail?.mailer ?? null
  const channels = createChannelSupport({ mailer, slackToken })
  const links = linksFrom(publicUrl, webApp)
  const secret = secretFinder({ stores, secret: settings.secret, name: 'unsubscribe' })
  const unsubscribeLink = async ({ subscription: { projectId, id }, recipient }: OutgoingMessage) => {
    const leaving = { projectId, subscriptionId: id, address: recipient.recipient, issuedAt: clock.now() }
    return links.unsubscribe(writeUnsubscribeToken(await secret(), leaving))
  }
  const post = createSender({
    clock,
    mailer,
    post: createHttpPost({ allow: webhookAllow }),
    slackToken,
    unsubscribeLink,
  })
  const untold = (subscription: number, reason: string) =>
    logger.warn({ subscription, reason }, 'the creator of a disabled subscription could not be told')
  const makeReport = createReports(parts, links)
  const workers: Worker[] = [
    createDeliverWorker({ stores, clock, makeReport, post, canNotify: mailer !== null, attempted }),
    ...(mailer ? [createNotifyWorker({ stores, mailer, links, failed: untold })] : []),
  ]
  return {
    ...createDeliveries({ stores, clock, channels, limiter }),
    sendConfirmations: createSendConfirmations(channels),
    problemOf: withTrouble(channels.problemOf, mail),
    /** The mail server; null without one. */
    mail,
    /** Signs the links by which an address leaves. */
    secret,
    /** What the runner has to do for it. */
    workers,
    /** Has delivered what subscriptions are due. */
    createDueDeliveries: (signal?: AbortSignal) => createDueDeliveries({ stores, clock, channels }, signal),
    /** After the clock went back: dates that were moved on while it was ahead are set again. */
    rewindSchedule: (now: number) => rewindDates(stores, now),
  }
}

export type DeliveriesFeature = ReturnType<typeof createDeliveriesFeature>

/**
 * The sentences of a report that all messages share, as plain text on one line each: what it is about, who created it,
 * when the next one comes. Escaping for mail or chat is left to the message.
 */

import { cutText, isLongerThan } from '../../../lib/text/code-points.ts'
import { toWall } from '../../../lib/time/time-zone.ts'
import type { ResourceType } from '../../../model/subscriptions/subscription.ts'
import type { MailRecipient, Report } from './report.ts'

const KINDS: Record<ResourceType, string> = { insight: 'Insight', dashboard: 'Dashboard' }
export const kindOf = ({ resource }: Pick<Report, 'resource'>): string => KINDS[resource.kind]

/** Without line breaks and other characters that would end a header or a line; cut to `most` characters. */
export function oneLine(text: string, most = 200): string {
  const line = text
    .toWellFormed()
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
  return isLongerThan(line, most) ? `${cutText(line, most - 1).trimEnd()}…` : line
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** `Monday November 09, 2026`, in the local time of the zone. */
function longDate(instant: number, zone: string): string {
  const wall = new Date(toWall(instant, zone))
  const day = String(wall.getUTCDate()).padStart(2, '0')
  return `${WEEKDAYS[wall.getUTCDay()]} ${MONTHS[wall.getUTCMonth()]} ${day}, ${wall.getUTCFullYear()}`
}

/** `Monday November 09, 2026 at 09:00 (Europe/Berlin)`. */
function longMoment(instant: number, zone: string): string {
  const time = new Date(toWall(instant, zone)).toISOString().slice(11, 16)
  return `${longDate(instant, zone)} at ${time} (${zone})`
}

const creatorName = ({ creator }: Pick<Report, 'creator'>): string => oneLine(creator.firstName, 60) || 'Someone'

/** Whether it welcomes a new recipient, rather than being an expected report. */
export const isWelcome = ({ occasion }: Pick<Report, 'occasion'>): boolean =>
  occasion === 'confirmation' || occasion === 'invitation'

/** The subject. Chats have no recipient of their own. */
export function subjectOf(report: Report, recipient: Pick<MailRecipient, 'isCreator'> | null): string {
  const kind = kindOf(report)
  if (isWelcome(report)) {
    return recipient === null || recipient.isCreator
      ? `You have been subscribed to a Hedgerow ${kind}`
      : `${creatorName(report)} subscribed you to a Hedgerow ${kind}`
  }
  const marks = [report.occasion === 'test' ? '[Test] ' : '', report.isLate ? ' (late)' : ''] as const
  return `${marks[0]}Hedgerow ${kind} report - ${oneLine(report.resource.name)}${marks[1]}`
}

/** The first sentence of a mail. */
export function introOf(report: Report, { isCreator }: Pick<MailRecipient, 'isCreator'>): string {
  const kind = kindOf(report)
  if (!isWelcome(report)) {
    return `Here is the ${kind} that ${isCreator ? 'you' : creatorName(report)} subscribed ${isCreator ? '' : 'you '}to.`
  }
  return isCreator
    ? `You have been subscribed to this ${kind}.`
    : `${creatorName(report)} subscribed you to this ${kind}.`
}

/** How this delivery differs from an ordinary one; empty for those. */
export function noticesOf(report: Report): string[] {
  const { occasion, isLate, scheduledAt, subscription } = report
  const test = 'This is a test delivery; the schedule stays as it is.'
  const due = scheduledAt === null ? '' : `: it was due on ${longMoment(scheduledAt, subscription.timezone)}`
  return [...(occasion === 'test' ? [test] : []), ...(isLate ? [`This report is late${due}.`] : [])]
}

/** How often it is sent, and when next. */
export function scheduleOf({ subscription }: Report): string {
  const { summary, nextDeliveryDate, timezone } = subscription
  const next =
    nextDeliveryDate === null
      ? 'No further one is planned.'
      : `The next subscription will be sent on ${longDate(nextDeliveryDate, timezone)}.`
  return `This subscription is ${summary}. ${next}`
}

/** `SHOWING 6 OF 10 DASHBOARD INSIGHTS`, or null when all are there. */
export const truncationNote = ({ tiles, tileCount }: Report): string | null =>
  tiles.length < tileCount ? `SHOWING ${tiles.length} OF ${tileCount} DASHBOARD INSIGHTS` : null

/** Links below the report; none without a public address. */
export const actionLinks = (report: Report): { text: string; url: string }[] =>
  [
    { text: `View ${kindOf(report)}`, url: report.resource.link },
    { text: 'Manage subscription', url: report.subscription.link },
    ...report.pages,
  ].flatMap(({ text, url }) => (url === null ? [] : [{ text, url }]))

export const EMPTY_DASHBOARD = 'This dashboard has no insights yet.'
const NOT_COMPUTED = 'This insight could not be computed.'

/** Why a tile shows nothing. */
export const errorOf = ({ error }: { error: string | null }): string => oneLine(error ?? NOT_COMPUTED, 300)

/** Shown to new recipients only; null when there is no message. */
export function inviteOf(report: Report): string | null {
  const message = report.subscription.inviteMessage?.toWellFormed().trim() ?? ''
  return isWelcome(report) && message !== '' ? message : null
}

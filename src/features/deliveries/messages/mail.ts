/**
 * A report as a mail: a subject on one line, plain text with the numbers, and HTML with embedded pictures. Text and
 * HTML say the same things in the same order. Texts of users are escaped in both; nothing is loaded from elsewhere.
 */

import {
  buttons,
  escapeForMail,
  heading,
  htmlDocument,
  link,
  mark,
  paragraph,
  picture,
  problem,
  quote,
  row,
  small,
} from '../../../transports/mail-html.ts'
import {
  actionLinks,
  EMPTY_DASHBOARD,
  errorOf,
  introOf,
  inviteOf,
  kindOf,
  noticesOf,
  oneLine,
  scheduleOf,
  subjectOf,
  truncationNote,
} from './message-text.ts'
import type { MailRecipient, Report, ReportTile } from './report.ts'
import { altOf, tileLines, tileText } from './tile-text.ts'

export interface MailContent {
  subject: string
  text: string
  html: string
  attachments: { filename: string; content: Buffer; contentType: string; cid: string }[]
}

/** The maximum width of a picture; on narrower screens it shrinks. */
const SHOWN_WIDTH = 564

/** Unique among all mails, because some clients keep several of them open. */
const cidOf = ({ deliveryId }: Report, place: number): string => `tile-${place + 1}.${deliveryId}@hedgerow`

const quoted = (text: string): string => `“${text}”`

/** Shown where there is no unsubscribe link. */
const ASK_TO_UNSUBSCRIBE = 'To get no more of these mails, ask whoever runs this server to take your address off.'

/** The text below the report: where to continue, and how to unsubscribe. */
function endOf(report: Report, { unsubscribeLink }: MailRecipient): string {
  const leave = unsubscribeLink === null ? ASK_TO_UNSUBSCRIBE : `Unsubscribe: ${unsubscribeLink}`
  return [...actionLinks(report).map(({ text, url }) => `${text}: ${url}`), leave].join('\n')
}

function textOf(report: Report, recipient: MailRecipient): string {
  const invite = inviteOf(report)
  const cut = truncationNote(report)
  const paragraphs = [
    ...noticesOf(report),
    `${kindOf(report)}: ${oneLine(report.resource.name)}`,
    introOf(report, recipient),
    ...(invite === null ? [] : [quoted(invite)]),
    ...(report.tiles.length === 0 ? [EMPTY_DASHBOARD] : report.tiles.map(tileText)),
    ...(cut === null ? [] : [cut]),
    scheduleOf(report),
    endOf(report, recipient),
  ]
  return `${paragraphs.join('\n\n')}\n`
}

/** The picture, and below it its name and main numbers as text: not every client shows pictures. */
function tileRows(report: Report, tile: ReportTile, place: number): string[] {
  const shown =
    tile.png !== null
      ? picture(cidOf(report, place), altOf(tile), SHOWN_WIDTH, tile.link)
      : tile.result === null
        ? problem(errorOf(tile))
        : ''
  const numbers = tile.result === null ? [] : tileLines(tile, 3).map(escapeForMail)
  const caption = small([link(oneLine(tile.name), tile.link), ...numbers].join('<br>'))
  return [...(shown === '' ? [] : [row(shown, 20)]), row(caption, 8)]
}

function footerOf(report: Report, recipient: MailRecipient): string[] {
  const { subscription, creator } = report
  const title = subscription.title === null ? '' : ` ${quoted(escapeForMail(oneLine(subscription.title)))}`
  const who = escapeForMail(oneLine(`${creator.firstName} (${creator.email})`, 200))
  const leave =
    recipient.unsubscribeLink === null
      ? ASK_TO_UNSUBSCRIBE
      : `${link('Unsubscribe', recipient.unsubscribeLink)} from these mails.`
  return [
    small(escapeForMail(scheduleOf(report))),
    small(
      `Sent to ${escapeForMail(recipient.address)}. Subscription${title} was made by ${who} on Hedgerow.<br>${leave}`,
    ),
  ]
}

function htmlOf(report: Report, recipient: MailRecipient, subject: string): string {
  const invite = inviteOf(report)
  const cut = truncationNote(report)
  const [preview] = report.tiles
  const links = actionLinks(report)
  return htmlDocument({
    title: subject,
    preview: preview === undefined ? EMPTY_DASHBOARD : altOf(preview),
    rows: [
      ...noticesOf(report).map((text) => row(mark(text))),
      row(small(`Hedgerow · ${kindOf(report)}`)),
      row(heading(oneLine(report.resource.name), report.resource.link), 2),
      row(paragraph(escapeForMail(introOf(report, recipient))), 8),
      ...(invite === null ? [] : [row(quote(invite))]),
      ...(report.tiles.length === 0
        ? [row(paragraph(EMPTY_DASHBOARD))]
        : report.tiles.flatMap((tile, place) => tileRows(report, tile, place))),
      ...(cut === null ? [] : [row(small(`<b>${escapeForMail(cut)}</b>`))]),
      ...(links.length === 0 ? [] : [row(buttons(links), 22)]),
    ],
    footer: footerOf(report, recipient),
  })
}

/** The mail for one recipient. */
export function mailOf(report: Report, recipient: MailRecipient): MailContent {
  const subject = subjectOf(report, recipient)
  const attachments = report.tiles.flatMap(({ png }, place) =>
    png === null
      ? []
      : [{ filename: `tile-${place + 1}.png`, content: png, contentType: 'image/png', cid: cidOf(report, place) }],
  )
  return { subject, text: textOf(report, recipient), html: htmlOf(report, recipient, subject), attachments }
}

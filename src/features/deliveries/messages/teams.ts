/**
 * A report for a Microsoft Teams webhook: one message with an Adaptive Card. The whole message may have 28 KB, so
 * pictures are included only while they are small; the main numbers always are. Texts are text runs, which have no
 * markup: no text of a user can become a link or a mention.
 */

import {
  actionLinks,
  EMPTY_DASHBOARD,
  inviteOf,
  isWelcome,
  kindOf,
  noticesOf,
  oneLine,
  scheduleOf,
  subjectOf,
  truncationNote,
} from './message-text.ts'
import type { Report, ReportTile } from './report.ts'
import { altOf, tileLines } from './tile-text.ts'

type Element = Record<string, unknown>

/** Of the 28 KB, as base64; the rest is for the text. */
const PICTURE_BYTES = 14_000

interface Words {
  size?: 'Small' | 'Large'
  weight?: 'Bolder'
  isSubtle?: boolean
  color?: 'Attention' | 'Warning'
  italic?: boolean
}

const words = (text: string, look: Words = {}): Element => ({
  type: 'RichTextBlock',
  inlines: [{ type: 'TextRun', text, ...look }],
})

const spaced = (element: Element): Element => ({ ...element, spacing: 'Medium' })

/** The pictures that fit, by the index of their tile. */
function pictures({ tiles }: Report): ReadonlyMap<number, string> {
  let room = PICTURE_BYTES
  const found = new Map<number, string>()
  for (const [place, { png }] of tiles.entries()) {
    const encoded = png?.toString('base64') ?? ''
    if (encoded === '' || encoded.length > room) continue
    room -= encoded.length
    found.set(place, `data:image/png;base64,${encoded}`)
  }
  return found
}

function tileElements(tile: ReportTile, picture: string | undefined): Element[] {
  const look: Words = tile.result === null ? { color: 'Attention' } : {}
  return [
    spaced(words(oneLine(tile.name, 150), { weight: 'Bolder' })),
    ...(picture === undefined ? [] : [{ type: 'Image', url: picture, altText: altOf(tile), size: 'Stretch' }]),
    ...tileLines(tile, 4).map((line) => words(line, look)),
  ]
}

function leadElements(report: Report): Element[] {
  const welcome = `This channel has been subscribed to a Hedgerow ${kindOf(report)}.`
  const invite = inviteOf(report)
  return [
    ...noticesOf(report).map((text) => words(text, { color: 'Warning' })),
    ...(isWelcome(report) ? [words(welcome)] : []),
    ...(invite === null ? [] : [words(`“${oneLine(invite, 500)}”`, { italic: true })]),
  ]
}

export interface TeamsContent {
  type: 'message'
  /** Shown in notifications. */
  summary: string
  attachments: Element[]
}

export function teamsContent(report: Report): TeamsContent {
  const found = pictures(report)
  const cut = truncationNote(report)
  const actions = actionLinks(report).map(({ text, url }) => ({ type: 'Action.OpenUrl', title: text, url }))
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    msteams: { width: 'Full' },
    body: [
      words(`Hedgerow · ${kindOf(report)}`, { size: 'Small', isSubtle: true }),
      words(oneLine(report.resource.name), { size: 'Large', weight: 'Bolder' }),
      ...leadElements(report),
      ...(report.tiles.length === 0
        ? [words(EMPTY_DASHBOARD)]
        : report.tiles.flatMap((tile, place) => tileElements(tile, found.get(place)))),
      ...(cut === null ? [] : [spaced(words(cut, { weight: 'Bolder', size: 'Small' }))]),
      spaced(words(scheduleOf(report), { size: 'Small', isSubtle: true })),
    ],
    ...(actions.length === 0 ? {} : { actions }),
  }
  const attachment = { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: card }
  return { type: 'message', summary: subjectOf(report, null), attachments: [attachment] }
}

/**
 * A report for Slack, by an incoming webhook or by a bot. It has the main numbers but no pictures: a webhook cannot
 * carry them, and a bot would have to upload them separately, so that the message could arrive without them. Names are
 * escaped as Slack requires, so that none of them can mention a channel or link elsewhere. Slack refuses messages with
 * long texts: each is cut to its limit.
 */

import { cutText } from '../../../lib/text/code-points.ts'
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
import { tileLines } from './tile-text.ts'

type Block = Record<string, unknown>

export interface SlackContent {
  /** Shown in notifications. */
  text: string
  blocks: Block[]
}

/** Slack's limits are 3,000 for a section and 150 for a header. */
const SECTION = 2_900
const HEADER = 140

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const escapeSlack = (text: string): string => text.replace(/[&<>]/g, (sign) => ENTITIES[sign] as string)

const mrkdwn = (text: string): Block => ({ type: 'mrkdwn', text })
const section = (text: string): Block => ({ type: 'section', text: mrkdwn(text) })
const context = (text: string): Block => ({ type: 'context', elements: [mrkdwn(text)] })

/** As many whole lines as fit in a section: a cut line could end in half an entity. */
function fitting(lines: string[]): string {
  let kept = ''
  for (const line of lines) {
    if (kept.length + line.length + 1 > SECTION) break
    kept += kept === '' ? line : `\n${line}`
  }
  return kept
}

/** A `|` in the text of a link would end its address. */
function slackLink(text: string, url: string | null): string {
  const words = escapeSlack(oneLine(text, 150))
  return url === null ? words : `<${url.replace(/[<>|]/g, encodeURIComponent)}|${words.replaceAll('|', '¦')}>`
}

function tileBlock(tile: ReportTile): Block {
  const lines = tileLines(tile).map((line) => `${tile.result === null ? ':warning:' : '•'} ${escapeSlack(line)}`)
  return section(fitting([`*${slackLink(tile.name, tile.link)}*`, ...lines]))
}

function inviteBlocks(report: Report): Block[] {
  const invite = inviteOf(report)
  if (invite === null) return []
  const lines = cutText(invite, 500).split(/\r?\n/)
  return [section(fitting(lines.map((line) => `> ${escapeSlack(oneLine(line, 500))}`)))]
}

/** The beginning: what this channel was subscribed to, or what is reported. */
function leadBlocks(report: Report): Block[] {
  if (!isWelcome(report)) return noticesOf(report).map((text) => context(escapeSlack(text)))
  const name = escapeSlack(oneLine(report.resource.name))
  return [section(`This channel has been subscribed to the ${kindOf(report)} *${name}* on Hedgerow!`)]
}

function actionBlocks(report: Report): Block[] {
  const elements = actionLinks(report).map(({ text, url }) => ({
    type: 'button',
    text: { type: 'plain_text', text },
    url,
  }))
  return elements.length === 0 ? [] : [{ type: 'actions', elements }]
}

export function slackContent(report: Report): SlackContent {
  const cut = truncationNote(report)
  return {
    text: escapeSlack(subjectOf(report, null)),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: oneLine(report.resource.name, HEADER), emoji: false } },
      ...leadBlocks(report),
      ...inviteBlocks(report),
      ...(report.tiles.length === 0 ? [section(EMPTY_DASHBOARD)] : report.tiles.map(tileBlock)),
      ...(cut === null ? [] : [context(`*${cut}*`)]),
      ...actionBlocks(report),
      context(escapeSlack(scheduleOf(report))),
    ],
  }
}

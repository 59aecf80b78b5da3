/** Pages with their headers: those that play a recording are kept from the rest of this server too. */
import { randomBytes } from 'node:crypto'
import { Answer } from '../../http/route.ts'
import { type Framed, plainPolicy, playingPolicy } from './content-security-policy.ts'

const FRAME_OPTIONS: Record<Framed, Record<string, string>> = {
  'by nobody': { 'x-frame-options': 'DENY' },
  'by us': { 'x-frame-options': 'SAMEORIGIN' },
  'by anybody': {},
}

const headersOf = (policy: string, framed: Framed): Record<string, string> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  ...FRAME_OPTIONS[framed],
})

interface PlayingPage {
  /** Images and fonts of the recorded site are loaded from their origin. */
  remote: boolean
  framed: Framed
  /** `nonce`: what lets the page's script run. */
  html: (nonce: string) => string
}

export function playingAnswer({ remote, framed, html }: PlayingPage): Answer {
  const nonce = randomBytes(16).toString('base64')
  const headers = headersOf(playingPolicy({ nonce, remote, framed }), framed)
  // Nor are the names in recorded links looked up.
  return new Answer(html(nonce), { headers: { ...headers, 'x-dns-prefetch-control': 'off' } })
}

interface PlainPage {
  html: string
  framed: Framed
  status?: number
  /** It holds a form. */
  form?: boolean
  /** `sha256-…` of the style that it carries. */
  style?: string | null
}

export const plainAnswer = ({ html, framed, status = 200, form = false, style = null }: PlainPage): Answer =>
  new Answer(html, { status, headers: headersOf(plainPolicy({ style, form, framed }), framed) })

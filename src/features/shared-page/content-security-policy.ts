/**
 * The content security policies of pages that play a recording, and of those before them. The replayed document inherits its
 * page's, and what it names is asked for with the cookies of who watches it: so nothing is allowed because it comes from
 * this server, aside from the recording itself, which the page's script fetches. The player removes what else could use
 * that (src/web/player/events/drawable.ts).
 */

/** Which pages may have it in a frame. */
export type Framed = 'by nobody' | 'by us' | 'by anybody'

const ANCESTORS: Record<Framed, string> = {
  'by nobody': "'none'",
  'by us': "'self'",
  'by anybody': '*',
}

const IN_ITSELF = 'data: blob:'

const policyOf = (allowed: string[], framed: Framed): string =>
  ["default-src 'none'", ...allowed, "base-uri 'none'", `frame-ancestors ${ANCESTORS[framed]}`].join('; ')

export interface PlayingPolicy {
  /** Of the page's script; random, so that nothing that was recorded can have it. */
  nonce: string
  /** Images and fonts of the recorded site are loaded from their origin. */
  remote: boolean
  framed: Framed
}

export function playingPolicy({ nonce, remote, framed }: PlayingPolicy): string {
  const media = remote ? `${IN_ITSELF} https: http:` : IN_ITSELF
  const allowed = [
    `script-src 'nonce-${nonce}'`,
    // A recorded page consists of inline styles: no hash or nonce can cover what visitors' pages contain.
    "style-src 'unsafe-inline'",
    "connect-src 'self'",
    `img-src ${media}`,
    `font-src ${media}`,
    "form-action 'none'",
  ]
  return policyOf(allowed, framed)
}

export interface PlainPolicy {
  /** `sha256-…` of the style that the page carries; null: it has none. */
  style: string | null
  /** The page holds a form. */
  form: boolean
  framed: Framed
}

export function plainPolicy({ style, form, framed }: PlainPolicy): string {
  const allowed = [
    `style-src ${style === null ? "'none'" : `'${style}'`}`,
    'img-src data:',
    `form-action ${form ? "'self'" : "'none'"}`,
  ]
  return policyOf(allowed, framed)
}

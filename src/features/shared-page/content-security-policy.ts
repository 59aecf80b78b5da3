/**
 * The content security policy of the pages of a share. Only this server's own scripts, styles and data; the replayed
 * document inherits the policy, so that the content of a recording cannot connect to other hosts either.
 */

export interface PolicyOptions {
  /** The page plays a recording: recorded styles are in the document itself and in `style` attributes. */
  replay: boolean
  /** Images and fonts of the recorded site are loaded from their origin. */
  remote: boolean
  /** The page holds a form. */
  form: boolean
  /** Other sites may frame the page. */
  framed: boolean
}

const LOCAL = "'self' data: blob:"

export function pagePolicy({ replay, remote, form, framed }: PolicyOptions): string {
  const media = remote ? `${LOCAL} https: http:` : LOCAL
  return [
    "default-src 'none'",
    "script-src 'self'",
    // A recorded page consists of inline styles: no hash or nonce can cover what visitors' pages contain.
    `style-src 'self'${replay ? " 'unsafe-inline'" : ''}`,
    `connect-src ${replay ? "'self'" : "'none'"}`,
    `img-src ${replay ? media : "'self' data:"}`,
    `font-src ${replay ? media : "'none'"}`,
    "base-uri 'none'",
    `form-action ${form ? "'self'" : "'none'"}`,
    `frame-ancestors ${framed ? '*' : "'none'"}`,
  ].join('; ')
}

/**
 * The pages of an unsubscribe link as HTML. The address is shown masked: a reader of a forwarded mail learns no more.
 */
import { createHash } from 'node:crypto'
import { Answer } from '../../http/route.ts'
import { escapeHtml } from '../../lib/text/escape-html.ts'

const STYLE = `
  :root { color-scheme: light dark; }
  body { margin: 0; font: 16px/1.5 system-ui, sans-serif; background: Canvas; color: CanvasText; }
  main { max-width: 28rem; margin: 15vh auto 0; padding: 0 1.5rem; }
  h1 { font-size: 1.4rem; }
  button { font: inherit; padding: .6rem 1.2rem; border: 0; border-radius: .4rem; background: #1d4aff; color: #fff; cursor: pointer; }
`
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** `j…@example.com` */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf('@')
  const [first = ''] = address
  return `${first}…${address.slice(at)}`
}

/** `form`: whether the page has the button to unsubscribe. */
export interface PageText {
  title: string
  detail: string
  form: boolean
  status: number
}

export function unsubscribePage({ title, detail, form, status }: PageText): Answer {
  const button = form ? '\n      <form method="post"><button type="submit">Unsubscribe</button></form>' : ''
  const text = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escapeHtml(title)}</title>
    <link rel="icon" href="data:,">
    <style>${STYLE}</style>
  </head>
  <body>
    <main>
      <h1>${escapeHtml(title)}</h1>
      <p>${escapeHtml(detail)}</p>${button}
    </main>
  </body>
</html>
`
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': POLICY,
    'x-frame-options': 'DENY',
  }
  return new Answer(text, { status, headers })
}

/** A page of a few sentences as HTML: readable in light and dark, without scripts, and in no other site's frame. */
import { createHash } from 'node:crypto'
import { escapeHtml } from '../../lib/text/escape-html.ts'
import { Answer } from '../route.ts'

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
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

export interface HtmlPage {
  title: string
  /** HTML below the title, indented by six spaces. */
  body: string
  status?: number
}

export function htmlPage({ title, body, status = 200 }: HtmlPage): Answer {
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
${body}
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

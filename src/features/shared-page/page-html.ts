/** The pages of a share as text. Everything that comes from outside is escaped; nothing is inline script or style. */
import { escapeHtml } from '../../lib/text/escape-html.ts'
import type { ShareSettings } from '../../model/recordings/sharing.ts'

export interface Look {
  /** URL of a file of the page by its name. */
  file: (name: string) => string
  settings: Pick<ShareSettings, 'theme' | 'whitelabel' | 'noHeader'>
}

const OUR_NAME = '<p class="name">Hedgerow</p>'

function frame({ file, settings }: Look, title: string, head: string, body: string): string {
  return `<!doctype html>
<html lang="en" data-theme="${settings.theme ?? 'system'}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${escapeHtml(title)}</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="${file('page.css')}">${head}
  </head>
  <body>
${body}
  </body>
</html>
`
}

const attributes = (data: Record<string, string>): string =>
  Object.entries(data)
    .map(([name, value]) => ` data-${name}="${escapeHtml(value)}"`)
    .join('')

/** `heading`: when it was recorded and how long it is; `data`: settings for the script. */
export function playerPage(look: Look, heading: string, data: Record<string, string>): string {
  const { file, settings } = look
  const header = settings.noHeader
    ? ''
    : `    <header>${settings.whitelabel ? '' : OUR_NAME}<h1>${escapeHtml(heading)}</h1></header>\n`
  const head = `
    <link rel="stylesheet" href="${file('rrweb-player.css')}">
    <script type="module" src="${file('player.js')}"></script>`
  const body = `${header}    <main id="player"${attributes(data)}>
      <p id="status" role="status">Loading…</p>
      <noscript><p>Playing a recording needs JavaScript.</p></noscript>
    </main>`
  return frame(look, 'Session recording', head, body)
}

export function passwordPage(look: Look, problem: string | null): string {
  const notice = problem === null ? '' : `\n        <p class="problem" role="alert">${escapeHtml(problem)}</p>`
  const body = `    <main class="card">
      ${look.settings.whitelabel ? '' : OUR_NAME}
      <h1>This recording is protected</h1>
      <form method="post">${notice}
        <label for="password">Password</label>
        <input id="password" name="password" type="password" autocomplete="off" required autofocus>
        <button type="submit">Open</button>
      </form>
    </main>`
  return frame(look, 'Password required', '', body)
}

export function problemPage(look: Look, title: string, detail: string): string {
  const body = `    <main class="card">
      <h1>${escapeHtml(title)}</h1>
      <p>${escapeHtml(detail)}</p>
    </main>`
  return frame(look, title, '', body)
}

/** The pages of a share as text. Everything that comes from outside is escaped; nothing is inline script; each carries its style. */
import { escapeHtml } from '../../lib/text/escape-html.ts'
import type { ShareSettings } from '../../model/recordings/sharing.ts'
import type { PageStyle } from './player-files.ts'

export interface Look {
  style: PageStyle
  settings: Pick<ShareSettings, 'theme' | 'whitelabel' | 'noHeader'>
}

export interface PageScript {
  src: string
  /** As in the page's policy. */
  nonce: string
}

export const THEMES = ['light', 'dark', 'system'] as const

const OUR_NAME = '<p class="name">Hedgerow</p>'

interface PageParts {
  title: string
  body: string
  script?: PageScript
}

function frame({ style, settings }: Look, { title, body, script }: PageParts): string {
  const head = script ? `\n    <script type="module" src="${script.src}" nonce="${script.nonce}"></script>` : ''
  return `<!doctype html>
<html lang="en" data-theme="${settings.theme ?? 'system'}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${escapeHtml(title)}</title>
    <link rel="icon" href="data:,">
    <style>${style.css}</style>${head}
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

interface Played {
  /** When it was recorded and how long it is. */
  heading: string
  /** Settings for the script. */
  data: Record<string, string>
  script: PageScript
}

export function playerPage(look: Look, { heading, data, script }: Played): string {
  const { settings } = look
  const header = settings.noHeader
    ? ''
    : `    <header>${settings.whitelabel ? '' : OUR_NAME}<h1>${escapeHtml(heading)}</h1></header>\n`
  const body = `${header}    <main id="player"${attributes(data)}>
      <p id="status" role="status">Loading…</p>
      <noscript><p>Playing a recording needs JavaScript.</p></noscript>
    </main>`
  return frame(look, { title: 'Session recording', body, script })
}

/** Where the web app plays a recording. */
export const framePage = (look: Look, script: PageScript): string =>
  frame(look, { title: 'Recording', body: '    <main id="stage" class="stage"></main>', script })

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
  return frame(look, { title: 'Password required', body })
}

export function problemPage(look: Look, title: string, detail: string): string {
  const body = `    <main class="card">
      <h1>${escapeHtml(title)}</h1>
      <p>${escapeHtml(detail)}</p>
    </main>`
  return frame(look, { title, body })
}

/**
 * The elements of an HTML mail. Mail clients support little: tables for layout, styles on each element, and one style
 * block by class for dark mode. Everything from outside passes through `escapeHtml`.
 */
import { escapeHtml } from '../lib/text/escape-html.ts'

/** Control characters and halves of surrogate pairs are dropped or replaced first. */
export const escapeForMail = (text: string): string => escapeHtml(text.toWellFormed().replace(/[^\P{Cc}\n\t]/gu, ''))

const FONT = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const SAID = `${FONT};font-size:16px;line-height:24px;color:#1b2430`
const MUTED = `${FONT};font-size:13px;line-height:20px;color:#55616e`

/** The colours of dark mode; clients that ignore the block show the light ones. */
const DARK = `
      .page { background: #10151b !important; }
      .sheet { background: #1b2129 !important; border-color: #39434f !important; }
      .said, .said a { color: #f0f3f6 !important; }
      .muted, .muted a { color: #a9b4c0 !important; }
      .mark { background: #4a3a12 !important; color: #ffe3a3 !important; }
      .quote { border-color: #6ea2ff !important; color: #f0f3f6 !important; }
      .problem { background: #3d2020 !important; color: #ffb4a8 !important; }
      .plain { background: #323b46 !important; }
      .plain a { color: #f0f3f6 !important; }`

/** `html` is markup already; without an address it is not linked. */
const linked = (html: string, url: string | null, style: string): string =>
  url === null ? html : `<a href="${escapeForMail(url)}" style="${style}">${html}</a>`

/** One row of the layout table. */
export const row = (content: string, above = 16): string =>
  `<tr><td style="padding:${above}px 16px 0 16px">${content}</td></tr>`

export const heading = (text: string, url: string | null): string =>
  `<h1 class="said" style="margin:0;${FONT};font-size:24px;line-height:32px;font-weight:700;color:#1b2430;overflow-wrap:anywhere">` +
  `${linked(escapeForMail(text), url, 'color:#1b2430;text-decoration:none')}</h1>`

/** `html` is markup already. */
export const paragraph = (html: string): string => `<p class="said" style="margin:0;${SAID}">${html}</p>`

export const small = (html: string): string =>
  `<p class="muted" style="margin:0;${MUTED};overflow-wrap:anywhere">${html}</p>`

export const mark = (text: string): string =>
  `<p class="mark" style="margin:0;padding:8px 12px;border-radius:6px;background:#fff3d6;${FONT};font-size:14px;line-height:20px;color:#6b4a00">${escapeForMail(text)}</p>`

/** As the user wrote it, line breaks kept, in quotes. */
export const quote = (text: string): string =>
  `<blockquote class="quote" style="margin:0;padding:4px 0 4px 14px;border-left:3px solid #2f6fdb;${SAID};font-style:italic;overflow-wrap:anywhere">` +
  `“${escapeForMail(text).replace(/\r?\n/g, '<br>')}”</blockquote>`

export const problem = (text: string): string =>
  `<p class="problem" style="margin:0;padding:16px;border-radius:6px;background:#fdecea;${FONT};font-size:14px;line-height:20px;color:#8f2317">${escapeForMail(text)}</p>`

export const link = (text: string, url: string | null): string =>
  linked(escapeForMail(text), url, 'color:inherit;text-decoration:underline')

/** As wide as the client allows, up to its own width; the alt text is for readers who block pictures. */
export const picture = (cid: string, alt: string, width: number, url: string | null): string =>
  linked(
    `<img src="cid:${escapeForMail(cid)}" width="${width}" alt="${escapeForMail(alt)}" ` +
      `style="display:block;width:100%;max-width:${width}px;height:auto;border:0;border-radius:6px;background:#ffffff;${MUTED}">`,
    url,
    'text-decoration:none',
  )

export interface Button {
  text: string
  url: string
}

/** A table cell each, because some clients ignore the padding of links. The first is the primary one. */
export function buttons(all: Button[]): string {
  const cells = all.map(({ text, url }, index) => {
    const [ground, colour, name] = index === 0 ? ['#2f6fdb', '#ffffff', 'button'] : ['#e7ebef', '#1b2430', 'plain']
    return (
      `<table role="presentation" cellpadding="0" cellspacing="0" border="0" align="left" style="margin:0 10px 10px 0"><tr>` +
      `<td class="${name}" bgcolor="${ground}" style="border-radius:6px;background:${ground}">` +
      `<a href="${escapeForMail(url)}" style="display:inline-block;padding:11px 18px;${FONT};font-size:15px;line-height:20px;font-weight:600;color:${colour};text-decoration:none">${escapeForMail(text)}</a>` +
      `</td></tr></table>`
    )
  })
  return cells.join('')
}

export interface Sheet {
  title: string
  /** Shown next to the subject in a list of mails, not in the mail. */
  preview: string
  rows: string[]
  /** Below the layout table. */
  footer: string[]
}

export function htmlDocument({ title, preview, rows, footer }: Sheet): string {
  const table = 'role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"'
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="supported-color-schemes" content="light dark">
    <title>${escapeForMail(title)}</title>
    <style>
      :root { color-scheme: light dark; supported-color-schemes: light dark; }
      @media (prefers-color-scheme: dark) {${DARK.replaceAll('\n', '\n  ')}
      }
    </style>
  </head>
  <body class="page" style="margin:0;padding:0;background:#f2f4f7">
    <div style="display:none;max-height:0;overflow:hidden">${escapeForMail(preview)}</div>
    <table ${table} class="page" style="background:#f2f4f7"><tr><td align="center" style="padding:12px 4px">
      <table ${table} class="sheet" style="max-width:600px;background:#ffffff;border:1px solid #d8dee4;border-radius:10px">
        ${rows.join('\n        ')}
        <tr><td style="height:14px;line-height:14px;font-size:1px">&nbsp;</td></tr>
      </table>
      <table ${table} style="max-width:600px">
        ${footer.map((text) => row(text, 12)).join('\n        ')}
      </table>
    </td></tr></table>
  </body>
</html>
`
}

/** The link of a share, as text. */
import { escapeHtml } from '../../../../../lib/text/escape-html.ts'

/** From this second on. */
export function linkAt(url: string, second: number): string {
  const link = new URL(url)
  if (second > 0) link.searchParams.set('t', String(second))
  return link.href
}

/** HTML that shows it in another page: only the address for embedding may be in a frame of another site. */
export function embedCode(link: string): string {
  const framed = new URL(link)
  framed.pathname = framed.pathname.replace(/\/shared\/([^/]+)$/, '/embedded/$1')
  return `<iframe src="${escapeHtml(framed.href)}" width="100%" height="600" style="border: 0" allowfullscreen></iframe>`
}

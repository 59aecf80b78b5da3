/**
 * The pages of an unsubscribe link as HTML. The address is shown masked: a reader of a forwarded mail learns no more.
 */
import { htmlPage } from '../../http/output/html-page.ts'
import type { Answer } from '../../http/route.ts'
import { escapeHtml } from '../../lib/text/escape-html.ts'

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
  return htmlPage({ title, status, body: `      <p>${escapeHtml(detail)}</p>${button}` })
}

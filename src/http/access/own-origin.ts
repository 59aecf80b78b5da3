/**
 * Whether a request comes from a page of this server. Browsers say where a request comes from in headers that no page can
 * set; what a cookie carries is refused if they say another site, and changes also if they say nothing.
 */
import { denied } from '../../lib/errors.ts'

interface Sent {
  method: string
  headers: Record<string, string | string[] | undefined>
}

const isSameHost = (origin: string, { host, protocol }: URL): boolean => {
  if (!URL.canParse(origin)) return false
  // Ports that a scheme implies are not written, so they have to be of the same scheme to be compared.
  return new URL(origin.replace(/^https?:/, protocol)).host === host
}

function isOwnRequest({ method, headers }: Sent, url: URL): boolean {
  const { origin, 'sec-fetch-site': site } = headers
  if (site !== undefined && site !== 'same-origin') return false
  if (origin !== undefined) return typeof origin === 'string' && isSameHost(origin, url)
  return site !== undefined || method === 'GET' || method === 'HEAD'
}

export function checkOwnRequest(request: Sent, url: URL): void {
  if (isOwnRequest(request, url)) return
  throw denied('This request does not come from a page of this server, so the sign-in does not count.')
}

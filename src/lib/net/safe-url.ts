/**
 * Which addresses the server may call on a caller's behalf. A URL is checked by its text (scheme, host name,
 * address literal in any spelling); a name is not resolved here, so the code that connects checks every resolved
 * address with isPublicAddress, on every hop. For hosts on the allow list only the host check is skipped.
 */
import { BlockList, isIP } from 'node:net'

export type UrlCheck = { url: URL } | { reason: string }

const MAX_LENGTH = 2_048

/** RFC 6890 and its successors; also Azure's host agent, which has a public address. */
const CLOSED_V4: [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]
/** Within global unicast: special assignments (Teredo among them), documentation and 6to4. */
const CLOSED_V6: [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]
/** Global unicast, and the two forms that carry an IPv4 address: mapped and NAT64. */
const OPEN_V6: [string, number][] = [
  ['2000::', 3],
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
]

const closed = new BlockList()
const open6 = new BlockList()
for (const [net, bits] of CLOSED_V4) {
  closed.addSubnet(net, bits, 'ipv4')
  closed.addSubnet(`::ffff:${net}`, 96 + bits, 'ipv6')
  closed.addSubnet(`64:ff9b::${net}`, 96 + bits, 'ipv6')
}
for (const [net, bits] of CLOSED_V6) closed.addSubnet(net, bits, 'ipv6')
for (const [net, bits] of OPEN_V6) open6.addSubnet(net, bits, 'ipv6')

/** True for an IP address (no brackets) of the public internet; false for anything else. */
export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/%.*$/, '')
  const version = isIP(bare)
  if (version === 4) return !closed.check(bare, 'ipv4')
  return version === 6 && open6.check(bare, 'ipv6') && !closed.check(bare, 'ipv6')
}

const METADATA_NAMES = new Set(['metadata', 'metadata.google.internal', 'metadata.goog', 'instance-data'])
const INTERNAL_SUFFIXES = [
  'consul',
  'corp',
  'home',
  'home.arpa',
  'internal',
  'intranet',
  'lan',
  'local',
  'localdomain',
  'private',
  'svc',
]

/** Lower case, no brackets, no dot at the end: how hosts are compared. */
const bareHost = (host: string): string =>
  host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.+$/, '')

/** The host of an entry such as `10.0.0.5`, `hooks.lan:8080` or `[::1]`, in the spelling the URL parser gives. */
function readHost(entry: string): { host: string; port: string } | null {
  const text = isIP(entry) === 6 ? `[${entry}]` : entry
  if (!URL.canParse(`https://${text}`)) return null
  // Taken from the text, because the parser drops the scheme's default port.
  const port = /:(\d+)$/.exec(text.replace(/^\[.*?\]/, ''))?.[1] ?? ''
  return { host: bareHost(new URL(`https://${text}`).hostname), port }
}

/** Whether the text is a valid entry of the allow list: a host, with or without a port. */
export const isHost = (entry: string): boolean => /^[\w.:[\]-]+$/.test(entry) && readHost(entry) !== null

/** Whether the URL's host is on the list; an entry with a port allows that port only. */
export function isAllowedHost(url: URL, allow: readonly string[]): boolean {
  const host = bareHost(url.hostname)
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  return allow.some((entry) => {
    const allowed = readHost(entry.trim())
    return allowed !== null && allowed.host === host && (allowed.port === '' || allowed.port === port)
  })
}

/** Why the host must not be called, or null. */
function hostReason(host: string): string | null {
  if (host === '') return 'the host is missing'
  if (host === 'localhost' || host.endsWith('.localhost')) return 'localhost is not allowed'
  if (METADATA_NAMES.has(host)) return 'metadata hosts are not allowed'
  if (isIP(host) !== 0) return isPublicAddress(host) ? null : `${host} is not a public address`
  const suffix = INTERNAL_SUFFIXES.find((end) => host === end || host.endsWith(`.${end}`))
  if (suffix !== undefined) return `names under .${suffix} are internal`
  if (!host.split('.').every((label) => /^[a-z0-9_-]{1,63}$/.test(label))) return 'the host name is malformed'
  return host.includes('.') ? null : 'a host name without a dot is internal'
}

/** Parsers silently drop or convert some characters, each in its own way, so such text is refused before parsing. */
function textReason(text: string): string | null {
  if (text.length > MAX_LENGTH) return `it is longer than ${MAX_LENGTH} characters`
  if (/[\s\p{C}]/u.test(text)) return 'it contains white space or control characters'
  if (!/^https?:/i.test(text)) return 'only http and https are allowed'
  if (text.includes('\\')) return 'it contains a backslash'
  const authority = /^https?:\/\/([^/?#]*)/i.exec(text)?.[1] ?? ''
  if (authority.includes('@')) return 'it contains credentials'
  return authority === '' ? 'the host is missing' : null
}

/** The URL if its text allows the server to call it, otherwise the reason why not. */
export function checkUrl(text: string, allow: readonly string[] = []): UrlCheck {
  const reason = textReason(text)
  if (reason !== null) return { reason }
  if (!URL.canParse(text)) return { reason: 'it is not a URL' }
  const url = new URL(text)
  if (isAllowedHost(url, allow)) return { url }
  const hostProblem = hostReason(bareHost(url.hostname))
  return hostProblem === null ? { url } : { reason: hostProblem }
}

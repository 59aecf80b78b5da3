/** E-mail addresses: which texts are one, and the lists that people write of them. */
import { domainToASCII } from 'node:url'

/** RFC 5321 4.5.3.1, in octets: the local part, and the path without its angle brackets. */
const MAX_LOCAL = 64
const MAX_ADDRESS = 254

/** RFC 5322 3.2.3 and, beyond ASCII, RFC 6531. */
const ATEXT = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\u{a0}-\\u{10ffff}-]+"
const LOCAL = new RegExp(`^${ATEXT}(?:\\.${ATEXT})*$`, 'u')
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

function isDomain(text: string): boolean {
  // domainToASCII decodes percent signs and drops some characters: check the text before it is converted.
  if (!/^[A-Za-z0-9.\-\u{a0}-\u{10ffff}]+$/u.test(text)) return false
  const labels = domainToASCII(text).split('.')
  const top = labels.at(-1) ?? ''
  return labels.length > 1 && labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(top)
}

/** A mailbox as people write it: dot-atom at a domain name. No quoted names, comments or address literals. */
export function isMailAddress(text: string): boolean {
  if (/[\s\p{C}]/u.test(text) || Buffer.byteLength(text) > MAX_ADDRESS) return false
  const at = text.lastIndexOf('@')
  const local = text.slice(0, at)
  return at > 0 && Buffer.byteLength(local) <= MAX_LOCAL && LOCAL.test(local) && isDomain(text.slice(at + 1))
}

/** The addresses of a stored or sent list, trimmed. One mailbox counts once: its first spelling stays. */
export function splitAddresses(value: string): string[] {
  const byMailbox = new Map<string, string>()
  for (const part of value.split(',')) {
    const address = part.trim()
    const mailbox = address.toLowerCase()
    if (address !== '' && !byMailbox.has(mailbox)) byMailbox.set(mailbox, address)
  }
  return [...byMailbox.values()]
}

/** The domain of an address, in the spelling that mail servers compare. */
export const mailDomain = (address: string): string => domainToASCII(address.slice(address.lastIndexOf('@') + 1))

/** `Name <ann@example.com>` or the address alone; null when it is neither. */
export function readSender(text: string): { name: string; address: string } | null {
  const [, name = '', bracketed] = /^([^<>"\r\n]*)<([^<>]*)>$/.exec(text.trim()) ?? []
  const address = (bracketed ?? text).trim()
  return isMailAddress(address) ? { name: name.trim(), address } : null
}

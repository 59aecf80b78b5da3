/**
 * Where a subscription may be sent. Brings the text into the form that is stored, or says what is wrong with
 * it, all addresses at once. Names are not resolved: what a URL's host leads to is judged when it is called.
 */
import { domainToASCII } from 'node:url'
import type { Problem } from '../../lib/errors.ts'
import { isAllowedHost, judgeUrl } from '../../lib/safe-url.ts'
import type { TargetType } from '../../model/subscription.ts'

export type TargetReading = { value: string } | { problems: Problem[] }

const ATTR = 'target_value'
const MAX_ADDRESSES = 50
/** RFC 5321 4.5.3.1, in octets: the local part, and the path without its angle brackets. */
const MAX_LOCAL = 64
const MAX_ADDRESS = 254

/** RFC 5322 3.2.3 and, beyond ASCII, RFC 6531. */
const ATEXT = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\u{a0}-\\u{10ffff}-]+"
const LOCAL = new RegExp(`^${ATEXT}(?:\\.${ATEXT})*$`, 'u')
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const SLACK_CHANNEL = /^[^\s|,#]{1,80}\|#[^\s|,#]{1,80}$/u

const refuse = (detail: string, code = 'invalid_input'): TargetReading => ({ problems: [{ attr: ATTR, code, detail }] })

function isDomain(text: string): boolean {
  // The conversion decodes percent signs and drops odd characters: only what it may rightly change goes in.
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

function readAddresses(value: string): TargetReading {
  const addresses = splitAddresses(value)
  if (addresses.length === 0) return refuse('At least one e-mail address is needed.')
  if (addresses.length > MAX_ADDRESSES) {
    return refuse(`At most ${MAX_ADDRESSES} e-mail addresses are allowed, but there are ${addresses.length}.`)
  }
  const bad = addresses.filter((address) => !isMailAddress(address))
  if (bad.length === 0) return { value: addresses.join(',') }
  return {
    problems: bad.map((address) => ({
      attr: ATTR,
      code: 'invalid_input',
      detail: `"${address.slice(0, 100)}" is not a valid e-mail address.`,
    })),
  }
}

function readUrl(value: string, name: string, allow: readonly string[]): TargetReading {
  const judged = judgeUrl(value, allow)
  if ('reason' in judged) return refuse(`Invalid ${name} URL: ${judged.reason}.`)
  // Slack and Teams addresses are secrets and must not travel in the clear, but for hosts the operator vouches for.
  if (name !== 'webhook' && judged.url.protocol !== 'https:' && !isAllowedHost(judged.url, allow)) {
    return refuse(`Invalid ${name} URL: only https is allowed.`)
  }
  return { value }
}

function readSlack(value: string, allow: readonly string[]): TargetReading {
  if (/^[a-z][a-z0-9+.-]*:/i.test(value)) return readUrl(value, 'Slack', allow)
  if (SLACK_CHANNEL.test(value)) return { value }
  return refuse('A Slack target is the URL of an incoming webhook, or a channel written as "C0123456789|#name".')
}

/** `allow`: hosts spared the address check, from the settings. */
export function readTarget(type: TargetType, text: string, allow: readonly string[] = []): TargetReading {
  const value = text.trim()
  if (value === '') return refuse('This field may not be blank.', 'blank')
  switch (type) {
    case 'email':
      return readAddresses(value)
    case 'slack':
      return readSlack(value, allow)
    case 'teams':
      return readUrl(value, 'Teams', allow)
    case 'webhook':
      return readUrl(value, 'webhook', allow)
  }
}

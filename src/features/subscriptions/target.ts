/**
 * Checks and normalizes the target of a subscription, and reports all problems of its addresses at once. Names are not
 * resolved: the address of a URL's host is checked when it is called.
 */

import type { Problem } from '../../lib/errors.ts'
import { isMailAddress, splitAddresses } from '../../lib/net/mail-address.ts'
import { checkUrl, isAllowedHost } from '../../lib/net/safe-url.ts'
import { cutText } from '../../lib/text/code-points.ts'
import { hasControlCharacters } from '../../lib/text/control-characters.ts'
import type { TargetType } from '../../model/subscriptions/subscription.ts'

export type TargetReading = { value: string } | { problems: Problem[] }

const ATTR = 'target_value'
const MAX_ADDRESSES = 50
const SLACK_CHANNEL = /^[^\s|,#]{1,80}\|#[^\s|,#]{1,80}$/u

const refuse = (detail: string, code = 'invalid_input'): TargetReading => ({ problems: [{ attr: ATTR, code, detail }] })

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
      detail: `"${cutText(address, 100)}" is not a valid e-mail address.`,
    })),
  }
}

function readUrl(value: string, name: string, allow: readonly string[]): TargetReading {
  const checked = checkUrl(value, allow)
  if ('reason' in checked) return refuse(`Invalid ${name} URL: ${checked.reason}.`)
  // Slack and Teams addresses are secrets and must not be sent unencrypted, except to hosts on the operator's allow
  // list.
  if (name !== 'webhook' && checked.url.protocol !== 'https:' && !isAllowedHost(checked.url, allow)) {
    return refuse(`Invalid ${name} URL: only https is allowed.`)
  }
  return { value }
}

function readSlack(value: string, allow: readonly string[]): TargetReading {
  if (/^[a-z][a-z0-9+.-]*:/i.test(value)) return readUrl(value, 'Slack', allow)
  if (SLACK_CHANNEL.test(value) && !hasControlCharacters(value)) return { value }
  return refuse('A Slack target is the URL of an incoming webhook, or a channel written as "C0123456789|#name".')
}

/** `allow`: hosts on the operator's allow list, which skip the address check. */
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

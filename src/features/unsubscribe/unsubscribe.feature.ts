/**
 * Unsubscribing by the link in a mail. A GET changes nothing, because programs follow links too; a POST does it, with a
 * form or without, and needs no login: the signed token says which address leaves which subscription.
 */
import type { RateLimiter } from '../../http/access/rate-limit.ts'
import type { Answer } from '../../http/route.ts'
import { sha256Hex } from '../../lib/ids.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { MINUTE } from '../../lib/time/time.ts'
import { readUnsubscribeToken, type UnsubscribeClaim } from '../../rules/subscriptions/unsubscribe-token.ts'
import { maskAddress, unsubscribePage } from './unsubscribe-page.ts'

type RecipientState = 'subscribed' | 'used' | 'unknown'

export interface UnsubscribeParts {
  clock: Clock
  limiter: RateLimiter
  secret: () => Promise<string>
  standing: (leaving: UnsubscribeClaim) => Promise<RecipientState>
  /** Returns the state before. */
  leave: (leaving: UnsubscribeClaim) => Promise<RecipientState>
}

/** Per caller; people do not click that fast. */
const LIMIT = [{ max: 60, windowMs: MINUTE }]

const plain = (title: string, detail: string, status: number): Answer =>
  unsubscribePage({ title, detail, status, form: false })

const malformed = () =>
  plain('This link does not work', 'It is incomplete or was not made by this server. Nothing was changed.', 400)
const expired = () =>
  plain(
    'This link has expired',
    'Links to unsubscribe are good for 30 days. Use the one in a newer message. Nothing was changed.',
    410,
  )
const unknown = () => plain('This subscription is gone', 'It does not exist any more. Nothing was changed.', 410)
const used = (address: string) =>
  plain(
    'Already unsubscribed',
    `${maskAddress(address)} does not receive these reports any more. Nothing was changed.`,
    200,
  )
const ask = (address: string) =>
  unsubscribePage({
    title: 'Unsubscribe?',
    detail: `${maskAddress(address)} will not receive these reports any more.`,
    status: 200,
    form: true,
  })
const done = (address: string) =>
  plain('You are unsubscribed', `${maskAddress(address)} will not receive these reports any more.`, 200)

export function createUnsubscribeFeature({ clock, limiter, secret, standing, leave }: UnsubscribeParts) {
  /** `then` says what to show for an address that is still subscribed. */
  async function answer(
    token: unknown,
    ip: string,
    find: (leaving: UnsubscribeClaim) => Promise<RecipientState>,
    then: (address: string) => Answer,
  ): Promise<Answer> {
    limiter.take(`unsubscribe:${sha256Hex(ip)}`, LIMIT)
    const read = readUnsubscribeToken(await secret(), typeof token === 'string' ? token : '', clock.now())
    if ('problem' in read) return read.problem === 'expired' ? expired() : malformed()
    const { leaving } = read
    const is = await find(leaving)
    if (is === 'unknown') return unknown()
    return is === 'used' ? used(leaving.address) : then(leaving.address)
  }
  return {
    show: (token: unknown, ip: string): Promise<Answer> => answer(token, ip, standing, ask),
    leave: (token: unknown, ip: string): Promise<Answer> => answer(token, ip, leave, done),
  }
}

export type UnsubscribeFeature = ReturnType<typeof createUnsubscribeFeature>

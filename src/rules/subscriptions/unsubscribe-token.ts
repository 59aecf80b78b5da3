/**
 * The token of an unsubscribe link: which address leaves which subscription, signed, valid for 30 days. It allows
 * nothing else.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { DAY } from '../../lib/time/time.ts'

export interface UnsubscribeClaim {
  projectId: number
  subscriptionId: number
  address: string
  issuedAt: number
}

const LIFE = 30 * DAY
const MAX_LENGTH = 1_000

const sign = (secret: string, text: string): Buffer =>
  createHmac('sha256', secret).update(`unsubscribe\n${text}`).digest()

export function writeUnsubscribeToken(
  secret: string,
  { projectId, subscriptionId, address, issuedAt }: UnsubscribeClaim,
): string {
  const text = JSON.stringify([projectId, subscriptionId, address, Math.floor(issuedAt)])
  return `${Buffer.from(text).toString('base64url')}.${sign(secret, text).toString('base64url')}`
}

export type ReadUnsubscribeToken = { leaving: UnsubscribeClaim } | { problem: 'malformed' | 'expired' }

export function readUnsubscribeToken(secret: string, token: string, now: number): ReadUnsubscribeToken {
  const [, content, signature] = /^([\w-]+)\.([\w-]{43})$/.exec(token.slice(0, MAX_LENGTH)) ?? []
  if (content === undefined || signature === undefined) return { problem: 'malformed' }
  const text = Buffer.from(content, 'base64url').toString('utf8')
  const own = sign(secret, text)
  const given = Buffer.from(signature, 'base64url')
  if (given.length !== own.length || !timingSafeEqual(given, own)) return { problem: 'malformed' }
  const [projectId, subscriptionId, address, issuedAt] = JSON.parse(text) as [number, number, string, number]
  if (issuedAt + LIFE <= now) return { problem: 'expired' }
  return { leaving: { projectId, subscriptionId, address, issuedAt } }
}

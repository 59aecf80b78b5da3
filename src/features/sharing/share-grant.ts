/**
 * The grant that a correct password earns: a signed text, valid for 24 hours, bound to the token and to that password.
 * It opens nothing by itself: whether the password still exists is checked each time.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { DAY } from '../../lib/time/time.ts'

export const GRANT_LIFE = DAY

export interface Grant {
  passwordId: number
  expiresAt: number
}

const sign = (secret: string, token: string, passwordId: string, expiresAt: string): Buffer =>
  createHmac('sha256', secret).update(['share-grant', token, passwordId, expiresAt].join('\n')).digest()

export function writeGrant(secret: string, token: string, { passwordId, expiresAt }: Grant): string {
  const [id, end] = [String(passwordId), String(Math.floor(expiresAt))]
  return [id, end, sign(secret, token, id, end).toString('base64url')].join('.')
}

/** The id of the password; null when the text was not signed by us for this token, or has expired. */
export function readGrant(secret: string, token: string, text: string, now: number): number | null {
  const [, id, end, signature] = /^(\d{1,15})\.(\d{1,16})\.([\w-]{43})$/.exec(text) ?? []
  if (id === undefined || end === undefined || signature === undefined || Number(end) <= now) return null
  const given = Buffer.from(signature, 'base64url')
  const own = sign(secret, token, id, end)
  return given.length === own.length && timingSafeEqual(given, own) ? Number(id) : null
}

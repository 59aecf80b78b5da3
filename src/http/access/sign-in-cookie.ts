/**
 * The cookie of a sign-in. Over TLS browsers send it to this host only and never in the clear; over plain HTTP they would not
 * store such a cookie at all, so it has another name there.
 */
import { readCookies } from '../input/cookies.ts'

const nameAt = ({ protocol }: URL): string => (protocol === 'https:' ? '__Host-hedgerow' : 'hedgerow')

/** Lax, not strict: links from mails open signed in. */
function cookieAt(url: URL, value: string, maxAgeSeconds: number): string {
  const secure = url.protocol === 'https:' ? '; Secure' : ''
  return `${nameAt(url)}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`
}

/** The secret of the sign-in that a request to this URL carries; null when it carries none. */
export function signInSecret(header: string | undefined, url: URL): string | null {
  return header === undefined ? null : (readCookies(header)[nameAt(url)] ?? null)
}

export const signInCookie = (url: URL, secret: string, lifeSeconds: number): string =>
  cookieAt(url, secret, lifeSeconds)

export const endedCookie = (url: URL): string => cookieAt(url, '', 0)

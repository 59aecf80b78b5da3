/**
 * The cookie of a sign-in. Over TLS browsers send it to this host only and never in the clear; over plain HTTP they would not
 * store such a cookie at all, so it has another name there.
 */
import { readCookies } from '../input/cookies.ts'

const nameAt = ({ protocol }: URL): string => (protocol === 'https:' ? '__Host-hedgerow' : 'hedgerow')

/** Lax, not strict: links from mails open signed in. */
export function signInCookie(url: URL, secret: string, lifeSeconds: number): string {
  const secure = url.protocol === 'https:' ? '; Secure' : ''
  return `${nameAt(url)}=${secret}; Path=/; Max-Age=${lifeSeconds}; HttpOnly; SameSite=Lax${secure}`
}

/** The secret of the sign-in that a request to this URL carries; null when it carries none. */
export function signInSecret(header: string | undefined, url: URL): string | null {
  return header === undefined ? null : (readCookies(header)[nameAt(url)] ?? null)
}

export const endedCookie = (url: URL): string => signInCookie(url, '', 0)

/** ETags, and whether a client has the current version already, so that 304 without a body is enough. */
import { createHash } from 'node:crypto'

type RequestHeaders = Record<string, string | string[] | undefined>

/** A strong tag of these parts together; 144 bits are enough to tell versions apart. */
export function etagOf(...parts: (string | Buffer)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return `"${hash.digest('base64url').slice(0, 24)}"`
}

/** The tags of `If-None-Match`, with `W/` where they are weak. */
const tagsOf = (headers: RequestHeaders): string[] =>
  String(headers['if-none-match'] ?? '').match(/(?:W\/)?"[^"]*"/g) ?? []

/** By `If-None-Match`: one tag, a list, or `*`. It asks for a weak comparison, so `W/` makes no difference (RFC 9110, 13.1.2). */
export function isCurrent(headers: RequestHeaders, etag: string): boolean {
  const known = tagsOf(headers)
  return String(headers['if-none-match'] ?? '').trim() === '*' || known.includes(etag) || known.includes(`W/${etag}`)
}

/** The client names the weak form of a strong tag and not the tag itself. */
export function knowsOnlyWeakly(headers: RequestHeaders, etag: string): boolean {
  const known = tagsOf(headers)
  return known.includes(`W/${etag}`) && !known.includes(etag)
}

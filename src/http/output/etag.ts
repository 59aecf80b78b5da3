/** ETags, and whether a client has the current version already, so that 304 without a body is enough. */
import { createHash } from 'node:crypto'

/** A strong tag of these parts together; 144 bits are enough to tell versions apart. */
export function etagOf(...parts: (string | Buffer)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return `"${hash.digest('base64url').slice(0, 24)}"`
}

/** By `If-None-Match`: one tag, a list, or `*`. It asks for a weak comparison, so `W/` makes no difference (RFC 9110, 13.1.2). */
export function isCurrent(headers: Record<string, string | string[] | undefined>, etag: string): boolean {
  const known = String(headers['if-none-match'] ?? '')
  const tags: string[] = known.match(/"[^"]*"/g) ?? []
  return known.trim() === '*' || tags.includes(etag)
}

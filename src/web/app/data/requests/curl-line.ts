/** A request as a line for a shell that does the same with a key. */

export interface Sent {
  method: string
  url: string
  /** As it was sent, without secrets; null when there was none. */
  body: string | null
}

/** Within single quotes a shell takes everything literally but the quote itself. */
export const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const KEY = '-H "Authorization: Bearer $HEDGEROW_KEY"'

export function curlLine({ method, url, body }: Sent): string {
  const verb = method === 'GET' || (method === 'POST' && body !== null) ? [] : ['-X', method]
  const data = body === null ? [] : ['-H', quote('Content-Type: application/json'), '-d', quote(body)]
  return ['curl', ...verb, KEY, ...data, quote(url)].join(' ')
}
